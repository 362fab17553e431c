import type { MessageButton } from '#shared/domain/message.ts'
import { asWire, eachOf, nameOf } from './read.ts'

const BUTTONS_LIMIT = 12
const STYLES: ReadonlySet<string> = new Set<MessageButton['style']>(['primary', 'default', 'danger'])

/** Buttons of a command's response. One without a name or text is skipped. See docs/wire.md 5.9 "actions". */
export const decodeButtons = (value: unknown): readonly MessageButton[] => eachOf(value, buttonOf, BUTTONS_LIMIT)

function buttonOf(value: unknown): MessageButton | undefined {
  const wire = asWire(value)
  const name = nameOf(wire?.['name'], 100)
  const text = nameOf(wire?.['text'], 60)
  const style = wire?.['style']
  if (wire === undefined || name === undefined || text === undefined) return undefined
  return {
    name,
    text,
    value: nameOf(wire['value'], 500) ?? '',
    style: typeof style === 'string' && STYLES.has(style) ? (style as MessageButton['style']) : 'default',
  }
}
