// Files of a zip archive, read as hostile: nothing is believed before it is checked, and what is unpacked is counted.
"use strict";

const MOST_FILES = 10000;
const MOST_BYTES = 1 << 30;

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

function checksum(bytes) {
  let sum = -1;
  for (const byte of bytes) sum = (sum >>> 8) ^ CRC[(sum ^ byte) & 255];
  return ~sum >>> 0;
}

/** Whether bytes begin as an archive does. */
function isZip(bytes) {
  return bytes.length > 21 && bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] <= 5 && bytes[3] <= 6;
}

/** All files of an archive, as [{ name, bytes }]; throws an Error in words. */
async function unzip(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const files = [];
  let total = 0;
  for (const entry of directory(view)) {
    if (entry.name.endsWith("/")) continue;
    total += entry.size;
    if (total > MOST_BYTES) throw new Error(`the archive holds more than ${MOST_BYTES} bytes`);
    const start = content(view, entry);
    const packed = archive.subarray(start, start + entry.packed);
    if (packed.length < entry.packed) throw new Error(`the archive ends within ${entry.name}`);
    const bytes = entry.method === 0 ? packed : await inflate(packed, entry);
    if (bytes.length !== entry.size || checksum(bytes) !== entry.checksum) {
      throw new Error(`${entry.name} is damaged in the archive`);
    }
    files.push({ name: entry.name, bytes });
  }
  return files;
}

/** The entries that the list at the archive's end has. */
function directory(view) {
  // The last record is 22 bytes and a comment long.
  let end = view.byteLength - 22;
  const first = Math.max(0, end - 65535);
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < first) throw new Error("this is no zip archive: its list of files is missing");
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw new Error("archives in the format zip64 are not read");
  if (count > MOST_FILES) throw new Error(`the archive has more than ${MOST_FILES} files`);
  const entries = [];
  for (let number = 0; number < count; number++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw new Error("the archive's list of files is damaged");
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    if (at + 46 + nameLength > end) throw new Error("the archive's list of files is damaged");
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength));
    const entry = {
      name,
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      header: view.getUint32(at + 42, true),
    };
    if (entry.flags & 1) throw new Error(`${name} is encrypted`);
    if (entry.method !== 0 && entry.method !== 8) throw new Error(`${name} is packed by a method that is not known here`);
    entries.push(entry);
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

/** Where the bytes of an entry begin. */
function content(view, entry) {
  const at = entry.header;
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== 0x04034b50) throw new Error(`${entry.name} is not where the archive says`);
  return at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
}

/** Unpacks an entry, and stops where it becomes longer than it said. */
async function inflate(packed, entry) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const out = new Uint8Array(entry.size);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > entry.size) {
        await reader.cancel();
        throw new Error();
      }
      out.set(value, length);
      length += value.length;
    }
  } catch {
    throw new Error(`${entry.name} is damaged in the archive`);
  }
  return out.subarray(0, length);
}
