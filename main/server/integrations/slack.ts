import * as v from 'valibot'
import { isBlank } from '#shared/lib/clean-text.ts'
import { refuse } from '../http/refusal.ts'

/**
 * What programs post: `text` and `attachments` as Slack's webhooks take them, turned into Markdown. Everything else that
 * Slack knows (`username`, `icon_url`, `channel`, `blocks`) is ignored: who posts and where is what its owner chose.
 */

const MAX_ATTACHMENTS = 20
const MAX_FIELDS = 30

const part = v.nullish(v.union([v.string(), v.pipe(v.number(), v.transform(String))]))
const attachment = v.looseObject({
  fallback: part,
  pretext: part,
  author_name: part,
  title: part,
  title_link: part,
  text: part,
  image_url: part,
  footer: part,
  fields: v.nullish(v.pipe(v.array(v.looseObject({ title: part, value: part })), v.maxLength(MAX_FIELDS))),
})
const payload = v.looseObject({
  text: part,
  attachments: v.nullish(v.pipe(v.array(attachment), v.maxLength(MAX_ATTACHMENTS))),
})
type Attachment = v.InferOutput<typeof attachment>

/** The text that a payload becomes; empty when it says nothing. Refuses other types than Slack's with code 4. */
export function textOfPayload(input: unknown): { readonly text: string; readonly attachments: number } {
  const result = v.safeParse(payload, input)
  if (!result.success) {
    const [issue] = result.issues
    return refuse('input', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
  }
  const { text, attachments } = result.output
  const parts = [markdownOf(text ?? ''), ...(attachments ?? []).map(quoted)]
  return { text: parts.filter((each) => !isBlank(each)).join('\n\n'), attachments: attachments?.length ?? 0 }
}

/** An attachment as a quotation, its introduction before it. */
function quoted(given: Attachment): string {
  const { pretext, author_name: author, title, title_link: link, text, fields, image_url: image, footer } = given
  const lines = [
    markdownOf(author ?? ''),
    heading(markdownOf(title ?? ''), link ?? undefined),
    markdownOf(text ?? ''),
    ...(fields ?? []).map(({ title: name, value }) =>
      [name ? `**${markdownOf(name)}:**` : '', markdownOf(value ?? '')].filter((each) => each !== '').join(' '),
    ),
    isWeb(image) ? image : '',
    markdownOf(footer ?? ''),
  ].filter((each) => !isBlank(each))
  const shown = lines.length > 0 ? lines : [markdownOf(given.fallback ?? '')].filter((each) => !isBlank(each))
  const quotation = shown.flatMap((each) => each.split('\n')).map((each) => `> ${each}`)
  // A line of Markdown ends where a new paragraph begins, or after two spaces.
  return [markdownOf(pretext ?? ''), quotation.join('  \n')].filter((each) => !isBlank(each)).join('\n\n')
}

const isWeb = (url: string | null | undefined): url is string => /^https?:\/\/\S+$/i.test(url ?? '')

function heading(title: string, link: string | undefined): string {
  if (title === '') return isWeb(link) ? link : ''
  return isWeb(link) ? `**[${title.replaceAll(/[[\]]/g, ' ')}](<${link.replaceAll(/[<>]/g, '')}>)**` : `**${title}**`
}

/** `<https://x|name>` and `<https://x>`; also what Slack writes for people and channels, which exist only there. */
const LINK = /<([^<>|]{1,2048})(?:\|([^<>]{0,1000}))?>/g
const BOLD = /(^|[\s(>])\*(?=\S)([^*\n]{1,500}?\S|\S)\*(?=$|[\s).,:;!?])/gm
const STRUCK = /(^|[\s(>])~(?=\S)([^~\n]{1,500}?\S|\S)~(?=$|[\s).,:;!?])/gm

/** Slack's own markup as Markdown. Code stays as it is. */
function markdownOf(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((piece, at) => (at % 2 === 1 ? unescaped(piece) : prose(piece)))
    .join('')
}

const prose = (text: string): string =>
  unescaped(
    text
      .replaceAll(LINK, (whole, target: string, name: string | undefined) => linkOf(whole, target, name))
      .replaceAll(BOLD, '$1**$2**')
      .replaceAll(STRUCK, '$1~~$2~~'),
  )

function linkOf(whole: string, target: string, name: string | undefined): string {
  if (/^(?:https?:\/\/|mailto:)\S+$/i.test(target)) {
    return name === undefined || name === '' ? target : `[${name.replaceAll(/[[\]]/g, ' ')}](${target})`
  }
  return /^[#@!]/.test(target) ? (name ?? target.slice(1)) : whole
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
