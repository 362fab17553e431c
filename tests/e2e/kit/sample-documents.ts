/**
 * A small PDF, written by hand: one line of text on each page, a link on the first, and a script that a careless reader
 * would run. `locked` requires an unknown password.
 */
export function aPdf(lines: readonly string[], { locked = false } = {}): Buffer {
  const objects: string[] = []
  const add = (body: string): number => objects.push(body)
  add('<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>')
  add(`<< /Type /Pages /Count ${lines.length} /Kids [${lines.map((_, at) => `${6 + at * 2} 0 R`).join(' ')}] >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  add('<< /S /JavaScript /JS (app.alert\\("ran"\\)) >>')
  add('<< /Type /Annot /Subtype /Link /Rect [50 680 400 740] /A << /S /URI /URI (https://example.com/asked) >> >>')
  for (const line of lines) {
    const text = `BT /F1 28 Tf 60 700 Td (${line}) Tj ET`
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${objects.length + 2} 0 R` +
        ' /Resources << /Font << /F1 3 0 R >> >> /Annots [5 0 R] >>',
    )
    add(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`)
  }
  const secret = 'A'.repeat(64)
  const lock = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${secret}> /U <${secret}> >> /ID [<00> <00>]`
  let text = '%PDF-1.7\n'
  const starts = objects.map((body, at) => {
    const start = text.length
    text += `${at + 1} 0 obj\n${body}\nendobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}` +
      `trailer\n<< /Size ${size} /Root 1 0 R ${locked ? lock : ''} >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
