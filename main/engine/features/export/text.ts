import type { ExportWriter } from './pieces.ts'

/**
 * For reading: `2026-11-22 09:05  Ola: words`, by this computer's clock. Replies are indented, what hangs on a message
 * stands under it by its name, deleted messages are left out. A time that is not known is all question marks.
 */
export function textWriter(at: number): ExportWriter {
  return {
    begin: () => `Parlor  ${stamp(at)}\n`,
    channel: ({ name, cid, topic }) =>
      `\n# ${[name === '' ? cid : name, topic ?? ''].filter((part) => part !== '').join('  ')}\n\n`,
    message({ message: { type, parentId, text, createdAt, timeUnsure, attachments }, author }) {
      if (type === 'deleted') return ''
      const indent = parentId === undefined ? '' : '    '
      const lines = text.split('\n').join(`\n${indent}    `)
      const files = attachments.map(({ title, linkUrl, kind }) => `${indent}    [${title ?? linkUrl ?? kind}]\n`)
      return `${indent}${timeUnsure === true ? UNKNOWN : stamp(createdAt)}  ${author}: ${lines}\n${files.join('')}`
    },
    endOfChannel: () => '',
    end: () => '',
  }
}

/** In the place of a time that is not known; as wide as one. */
const UNKNOWN = '????-??-?? ??:??'

function stamp(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
