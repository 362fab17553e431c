import type { IntentFor, SendPayload } from '#shared/domain/intent.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { previewLinks } from '#shared/rules/messages/link-previews.ts'
import { joinParts, MAX_PARTS, splitText, type TextPart } from '#shared/rules/composer/split-text.ts'
import { isLongerThan } from '#shared/rules/messages/text.ts'
import type { Core } from '../../core.ts'

/** Smallest step in the order of messages, in milliseconds: a microsecond, the precision of the server. */
const TINY_MS = 0.001

/** The messages that a long text is split into; none if one message is enough, or if there would be too many. */
export function partsOf(text: string, maxLength: number, isWanted: boolean | undefined): readonly TextPart[] {
  if (isWanted !== true || !isLongerThan(text, maxLength) || isLongerThan(text, maxLength * MAX_PARTS)) return []
  const parts = splitText(text, maxLength)
  return parts.length > MAX_PARTS ? [] : parts
}

type PartOfSend = {
  readonly id: MessageId
  readonly before: MessageId | undefined
  readonly payload: SendPayload
}

/**
 * Each part as a separate message: the first has the files and the quote, each has the mentions of its own text
 * (`mentionsOf`) and the previews of its own links.
 */
export function sendsOf(
  core: Pick<Core, 'ports'>,
  parts: readonly TextPart[],
  { quotedId, quoted, uploadIds, files, previews = [], ...whole }: SendPayload,
  mentionsOf: (text: string) => Pick<SendPayload, 'mentionedUserIds' | 'reach'>,
  first: MessageId,
): readonly PartOfSend[] {
  const ids = parts.map((_part, index) => (index === 0 ? first : asMessageId(core.ports.ids.uuid())))
  const { reach: _whole, ...same } = whole
  const leading = {
    uploadIds,
    ...(files === undefined ? {} : { files }),
    ...(quotedId === undefined ? {} : { quotedId }),
    ...(quoted === undefined ? {} : { quoted }),
  }
  return parts.map(({ text, ...seam }, index) => {
    const links = new Set(previewLinks(text))
    const own = previews.filter(({ shown }) => links.has(shown.url))
    return {
      id: ids[index] ?? first,
      before: ids[index - 1],
      payload: {
        ...same,
        ...(index === 0 ? leading : { uploadIds: [] }),
        previews: own.length === 0 ? undefined : own,
        ...mentionsOf(text),
        text,
        part: { whole: first, ...seam },
        placedAt: whole.placedAt + index * TINY_MS,
      },
    }
  })
}

/** This message and the other unsent parts of the same text, in order. */
export function unsentParts(
  core: Pick<Core, 'outbox'>,
  intent: IntentFor<'send-message'>,
): readonly IntentFor<'send-message'>[] {
  const { cid, payload } = intent
  if (payload.part === undefined) return [intent]
  const { whole } = payload.part
  return core.outbox.sends(cid).filter((each) => each.payload.part?.whole === whole && each.state !== 'inflight')
}

/** The texts of these messages joined. */
export function textOf(parts: readonly IntentFor<'send-message'>[]): string {
  return joinParts(
    parts.map(({ payload: { text, part = { after: '', opened: '', closed: '' } } }) => ({ ...part, text })),
  )
}
