// What is wrong with a chosen file, told before it is sent. The server judges by the same rules
// (compliance/storage/file_types.py), and its word counts.

import { text } from "./texts.js";

const TYPES = [
  /^%PDF-\d\.\d/,
  /^\x89PNG\r\n\x1a\n/,
  /^\xff\xd8\xff/,
  /^(II\*\0|MM\0\*)/,
  /^\0\0[\0-\x0f][^]ftyp(heic|heix|heim|heis|mif1|msf1)/,
];

export const inWords = (bytes) =>
  bytes < 1 << 20 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;

// The words about a file, or "". Resolves, whatever becomes of reading the file.
export const faultOf = async (file, maxBytes, types) => {
  if (!file.size) return text("This file is empty.");
  if (file.size > maxBytes) return text("This file is larger than {size}.", { size: inWords(maxBytes) });
  try {
    const bytes = new Uint8Array(await file.slice(0, 32).arrayBuffer());
    const start = String.fromCharCode(...bytes);
    return TYPES.some((type) => type.test(start)) ? "" : text("This is not a {types} file.", { types });
  } catch {
    return text("This file cannot be read.");
  }
};
