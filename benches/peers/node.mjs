// How long Node takes for an id: its own crypto.randomUUID, and the packages uuid, nanoid and ulid.
//
// One JSON line a peer on stdout, `missing` in it where a package is not installed. Whatever is timed is kept, and after
// its slice looked at: its form, version and variant, and that no id of the last batch comes twice.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

// Ids of a batch: enough that reading the clock costs nothing.
const BATCH = 1000;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "0.3" } } });
const seconds = Number(values.seconds);

const uuid = (version) =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);

// Nanoseconds and ids of so many seconds, after a tenth of it unmeasured; the batches' own time only.
function measure(make, form) {
  const batch = new Array(BATCH);
  const fill = () => {
    for (let place = 0; place < BATCH; place++) batch[place] = make();
  };
  const warm = performance.now() + seconds * 100;
  while (performance.now() < warm) fill();
  let spent = 0n;
  let ids = 0;
  let checksum = 0;
  while (spent < seconds * 1e9) {
    const start = process.hrtime.bigint();
    fill();
    spent += process.hrtime.bigint() - start;
    ids += BATCH;
    const last = batch[BATCH - 1];
    for (let place = 0; place < last.length; place++) checksum = (checksum * 31 + last.charCodeAt(place)) >>> 0;
  }
  const wrong = batch.find((id) => !form.test(id));
  if (wrong !== undefined) return { broken: `${wrong} is not ${form}` };
  if (new Set(batch).size !== BATCH) return { broken: "an id comes twice" };
  return { ids, ns_per_id: Number(spent) / ids, checked: BATCH, checksum: checksum.toString(16).padStart(8, "0") };
}

// A function of a package, and the package's version.
async function ofPackage(name, take) {
  const description = new URL(`node_modules/${name}/package.json`, import.meta.url);
  const { version } = JSON.parse(await readFile(description, "utf8"));
  return [version, take(await import(name))];
}

const ofNode = (make) => async () => [process.versions.node, make];
const PEERS = [
  ["node randomUUID", "v4", ofNode(() => randomUUID()), uuid(4)],
  ["node randomUUID uncached", "v4", ofNode(() => randomUUID({ disableEntropyCache: true })), uuid(4)],
  ["npm uuid v4", "v4", () => ofPackage("uuid", ({ v4 }) => () => v4()), uuid(4)],
  ["npm uuid v7", "v7-monotonic", () => ofPackage("uuid", ({ v7 }) => () => v7()), uuid(7)],
  ["npm nanoid", "nanoid", () => ofPackage("nanoid", ({ nanoid }) => () => nanoid()), /^[\w-]{21}$/],
  ["npm ulid", "ulid", () => ofPackage("ulid", ({ ulid }) => () => ulid()), /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
  [
    "npm ulid monotonic",
    "ulid",
    () => ofPackage("ulid", ({ monotonicFactory }) => monotonicFactory()),
    /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  ],
];

for (const [peer, beside, prepare, form] of PEERS) {
  const row = { peer, measures: "one call an id, in an array", form: "text", beside };
  try {
    const [version, make] = await prepare();
    Object.assign(row, { version }, measure(make, form));
  } catch (error) {
    row.missing = String(error.code ?? error.message);
  }
  console.log(JSON.stringify(row));
}
