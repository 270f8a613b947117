#!/bin/sh
# An array job of Slurm: 64 shares of one run, each taken up again where it was broken off.
#   sbatch examples/jobs/slurm.sh
#   uuidcap merge parts/* -o whole
#SBATCH --job-name=uuidcap
#SBATCH --array=1-64
#SBATCH --cpus-per-task=8
#SBATCH --mem=4G
#SBATCH --requeue
set -eu

part="parts/$SLURM_ARRAY_TASK_ID"
set --
if [ -e "$part/simulate.json" ]; then set -- --resume "$part"; fi
uuidcap simulate --bits 40 --draws 2^20 --trials 1000000 --seed 1 --shard auto "$@" \
    --threads "$SLURM_CPUS_PER_TASK" --no-progress -o "$part"
