/** A file of 600 kB whose bytes from this offset on cannot be read. `name`: of the error. */
export function unreadableFrom(offset: number, name = 'NotReadableError'): File {
  const file = new File(['x'.repeat(600_000)], 'plan.pdf', { type: 'application/pdf' })
  const slice = file.slice.bind(file)
  file.slice = (start = 0, end?: number) => {
    const piece = slice(start, end)
    if (start >= offset) piece.arrayBuffer = () => Promise.reject(new DOMException('', name))
    return piece
  }
  return file
}
