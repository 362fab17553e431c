import { Zip, ZipPassThrough } from 'fflate'

/** A file and its path inside the archive, with slashes. */
export type Packed = { readonly path: string; readonly file: File }

/** The dates that ZIP can have, in local time. */
const FIRST_DATE = new Date(1980, 0, 1).getTime()
const LAST_DATE = new Date(2099, 11, 31).getTime()
const DEFLATE = 8

/** An entry that is compressed elsewhere: what is pushed counts only for its size and checksum. */
class DeflatedEntry extends ZipPassThrough {
  override compression = DEFLATE
  override process(): void {}
}

/**
 * Files as one ZIP archive. fflate writes the format; the browser compresses, in the background. The caller ensures a total
 * below 4 GB.
 */
export async function zipOf(name: string, files: readonly Packed[]): Promise<File> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let failure: Error | undefined
  const zip = new Zip((error, part) => {
    if (error === null) parts.push(part)
    else failure = error
  })
  for (const packed of files) await add(zip, packed)
  zip.end()
  if (failure !== undefined) throw failure
  return new File(parts, name, { type: 'application/zip' })
}

async function add(zip: Zip, { path, file }: Packed): Promise<void> {
  const entry = new DeflatedEntry(path)
  entry.mtime = Math.min(Math.max(file.lastModified, FIRST_DATE), LAST_DATE)
  zip.add(entry)
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      entry.push(chunk)
      controller.enqueue(chunk)
    },
    flush: () => entry.push(new Uint8Array(), true),
  })
  const written = new WritableStream<Uint8Array<ArrayBuffer>>({
    write: (chunk) => entry.ondata(null, chunk, false),
    close: () => entry.ondata(null, new Uint8Array(), true),
  })
  await file.stream().pipeThrough(counted).pipeThrough(new CompressionStream('deflate-raw')).pipeTo(written)
}
