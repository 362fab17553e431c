import type { ExportWriter } from './pieces.ts'

/**
 * For reading: `2026-11-22 09:05  Ola: text`, in local time. Replies are indented, attachments follow their message by
 * name, deleted messages are omitted. An unknown time is written as question marks.
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

/** Replaces an unknown time, with the same width. */
const UNKNOWN = '????-??-?? ??:??'

function stamp(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
