import { memo, type ReactNode, useMemo, useState } from 'react'
import { asUserId } from '#shared/lib/brand.ts'
import type { Block, Inline, TableCell } from '#shared/domain/message.ts'
import { fold } from '#shared/rules/messages/text.ts'
import { type Mentionable, withMentions, channelNameKey } from '#shared/rules/messages/mentions.ts'
import { splitEmoji } from '#shared/rules/messages/emoji.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { isPlainText, plainBlocks } from '#shared/rules/markdown/plain.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { selectEmojiByName, selectCidsByChannelName } from '../../../store/selectors.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { codeOf, useCode } from '../../../lib/page/part.tsx'
import { emojiAlone } from '../../../lib/text/emoji-text.ts'
import { CustomEmoji, EmojiText } from '../../emoji/index.ts'
import { MessageLink } from '../../links/index.ts'
import { copyText } from '../actions/copy.ts'
import styles from './Markdown.module.css'

type Props = {
  readonly text: string
  /** Of the text as it is folded, if main parsed it. */
  readonly blocks?: readonly Block[] | undefined
  readonly mentioned: readonly Mentionable[]
  /** The viewer; mentions of them are highlighted. */
  readonly viewerId: string | undefined
  /** Rendered after the last word, for example "(edited)". */
  readonly after?: ReactNode
}

/** The text of a message. Renders a closed set of elements, never HTML; the engine opens links. */
export const Markdown = memo(function Markdown(props: Props) {
  const names = useMemo(() => emojiNames(props.text), [props.text])
  return names === undefined ? <Formatted {...props} /> : <MaybeEmoji {...props} names={names} />
})

function Formatted({ text, blocks: sent, mentioned, viewerId, after }: Props) {
  const t = useTexts('messages')
  const [whole, setWhole] = useState(false)
  const folded = useMemo(() => fold(text), [text])
  const shown = whole ? text : folded.text
  const parsed = useBlocks(shown, shown === folded.text ? sent : undefined)
  const blocks = useMemo(() => withMentions(parsed, mentioned), [parsed, mentioned])
  return (
    <div className={styles['text']}>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} viewerId={viewerId} after={index === blocks.length - 1 ? after : null} />
      ))}
      {blocks.length === 0 ? after : null}
      {folded.lines === 0 ? null : (
        <button type="button" className={styles['fold']} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t('text.less') : t('text.more', { count: folded.lines })}
        </button>
      )}
    </div>
  )
}

/** Names of the custom emoji in a text of emoji alone. */
const emojiNames = (text: string): readonly string[] | undefined =>
  isEmojiOnly(text, () => true) ? splitEmoji(text).flatMap((part) => ('name' in part ? part.name : [])) : undefined

/** Emoji alone are shown large; custom ones count only if the workspace has them. */
function MaybeEmoji({ names, ...props }: Props & { readonly names: readonly string[] }) {
  const isBig = useAppSelector((state) => names.every((name) => selectEmojiByName(state).has(name)))
  if (!isBig) return <Formatted {...props} />
  return (
    <div className={cx(styles['text'], styles['bigEmoji'])} dir="auto">
      <EmojiText text={props.text.trim()} />
      {props.after}
    </div>
  )
}

type BlockProps = { readonly block: Block; readonly viewerId: string | undefined; readonly after?: ReactNode }

function BlockView({ block, viewerId, after }: BlockProps) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines nodes={block.children} viewerId={viewerId} />
          {after}
        </p>
      )
    case 'heading':
      return (
        <p dir="auto" className={styles['heading']}>
          <Inlines nodes={block.children} viewerId={viewerId} />
          {after}
        </p>
      )
    case 'codeBlock':
      return (
        <>
          <CodeBlock language={block.language} text={block.text} />
          {after}
        </>
      )
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.children} viewerId={viewerId} />
          {after}
        </blockquote>
      )
    case 'list':
      return <ListView block={block} viewerId={viewerId} after={after} />
    case 'table':
      return <TableView head={block.head} rows={block.rows} viewerId={viewerId} after={after} />
    case 'rule':
      return <hr />
  }
}

const Blocks = ({ blocks, viewerId }: { readonly blocks: readonly Block[]; readonly viewerId: string | undefined }) =>
  blocks.map((block, index) => <BlockView key={index} block={block} viewerId={viewerId} />)

type ListProps = {
  readonly block: Extract<Block, { kind: 'list' }>
  readonly viewerId: string | undefined
  readonly after: ReactNode
}

function ListView({ block, viewerId, after }: ListProps) {
  const t = useTexts('messages')
  const items = block.items.map((item, index) => (
    <li key={index} className={item.checked === undefined ? undefined : styles['task']}>
      {item.checked === undefined ? null : (
        <span className={cx(styles['box'], item.checked && styles['checked'])}>
          {item.checked ? <Icon name="check" size={11} /> : null}
          <span className="sr-only">{t(item.checked ? 'text.done' : 'text.open')}</span>
        </span>
      )}
      <Blocks blocks={item.children} viewerId={viewerId} />
      {index === block.items.length - 1 ? after : null}
    </li>
  ))
  return block.ordered ? (
    <ol className={styles['numbered']} start={block.start}>
      {items}
    </ol>
  ) : (
    <ul className={styles['bullets']}>{items}</ul>
  )
}

type TableProps = {
  readonly head: readonly TableCell[]
  readonly rows: readonly (readonly TableCell[])[]
  readonly viewerId: string | undefined
  readonly after: ReactNode
}

function TableView({ head, rows, viewerId, after }: TableProps) {
  const cell = (one: TableCell) => <Inlines nodes={one.children} viewerId={viewerId} />
  const side = (one: TableCell) => (one.align === undefined ? undefined : styles[one.align])
  return (
    <>
      <div className={styles['tableBox']}>
        <table>
          <thead>
            <tr>
              {head.map((one, index) => (
                <th key={index} scope="col" className={side(one)} dir="auto">
                  {cell(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((one, column) => (
                  <td key={column} className={side(one)} dir="auto">
                    {cell(one)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {after}
    </>
  )
}

type InlinesProps = { readonly nodes: readonly Inline[]; readonly viewerId: string | undefined }

const Inlines = ({ nodes, viewerId }: InlinesProps) =>
  nodes.map((node, index) => <InlineView key={index} node={node} viewerId={viewerId} />)

function InlineView({ node, viewerId }: { readonly node: Inline; readonly viewerId: string | undefined }) {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'break':
      return <br />
    case 'strong':
      return (
        <strong>
          <Inlines nodes={node.children} viewerId={viewerId} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inlines nodes={node.children} viewerId={viewerId} />
        </em>
      )
    case 'strike':
      return (
        <s>
          <Inlines nodes={node.children} viewerId={viewerId} />
        </s>
      )
    case 'emoji':
      return <CustomEmoji name={node.name} />
    case 'channel':
      return <ChannelMention name={node.name} text={node.text} />
    case 'code':
      return <code>{node.text}</code>
    case 'mention':
      return node.userId === undefined ? (
        <span className={cx(styles['mention'], styles['me'])}>
          <bdi>{node.text}</bdi>
        </span>
      ) : (
        <Mention userId={node.userId} text={node.text} isMe={node.userId === viewerId} />
      )
    case 'link':
      return (
        <>
          <MessageLink href={node.href}>
            <bdi>
              <Inlines nodes={node.children} viewerId={viewerId} />
            </bdi>
          </MessageLink>
          {node.host === undefined ? null : <bdi className={styles['host']}> ({node.host})</bdi>}
        </>
      )
  }
}

type MentionProps = { readonly userId: string; readonly text: string; readonly isMe: boolean }

/** Opens the profile of the person. */
function Mention({ userId, text, isMe }: MentionProps) {
  const dispatch = useAppDispatch()
  return (
    <button
      type="button"
      className={cx(styles['mention'], isMe && styles['me'])}
      aria-haspopup="dialog"
      onClick={() => dispatch(dialogOpened({ kind: 'person', userId: asUserId(userId) }))}
    >
      <bdi>{text}</bdi>
    </button>
  )
}

type ChannelMentionProps = { readonly name: string; readonly text: string }

/** `#name` in a text: a link to that channel, or plain text if the reader has no channel of that name. */
function ChannelMention({ name, text }: ChannelMentionProps) {
  const dispatch = useAppDispatch()
  const cid = useAppSelector((state) => selectCidsByChannelName(state).get(channelNameKey(name)))
  if (cid === undefined) return text
  return (
    <button type="button" className={styles['channel']} onClick={() => dispatch(routeOpened({ view: 'channel', cid }))}>
      <bdi>{text}</bdi>
    </button>
  )
}

/** Longer blocks are folded. */
const MAX_CODE_LINES = 18

/** A code block with language, copy button and syntax colors. */
function CodeBlock({ language, text }: { readonly language: string; readonly text: string }) {
  const t = useTexts('messages')
  const [whole, setWhole] = useState(false)
  const [copied, setCopied] = useState(false)
  const lines = useMemo(() => text.split('\n'), [text])
  const long = lines.length > MAX_CODE_LINES
  const shown = long && !whole ? lines.slice(0, MAX_CODE_LINES).join('\n') : text
  const runs = useMemo(() => highlight(shown, language), [shown, language])
  return (
    <figure className={styles['code']} aria-label={t('code.label', { count: lines.length })}>
      <figcaption>
        <span>{language === '' ? t('code.plain') : languageName(language)}</span>
        <IconButton
          icon={copied ? 'check' : 'copy'}
          size="small"
          iconSize={16}
          label={t(copied ? 'code.copied' : 'code.copy')}
          onClick={() => {
            copyText(text).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }}
        />
      </figcaption>
      {/* A scrollable element must be reachable by keyboard. */}
      <pre tabIndex={0} dir="ltr">
        <code>
          {runs.map((run, index) => (
            <span key={index} className={run.kind === 'plain' ? undefined : styles[run.kind]}>
              {run.text}
            </span>
          ))}
        </code>
      </pre>
      {long ? (
        <button type="button" className={styles['fold']} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t('text.less') : t('code.all', { count: lines.length })}
        </button>
      ) : null}
    </figure>
  )
}

/** A run of code with one color. `plain` is the text color. */
type CodeRun = {
  readonly kind: 'plain' | 'keyword' | 'string' | 'number' | 'fn' | 'comment'
  readonly text: string
}

const KEYWORDS = new Set(
  (
    'abstract as async await base bool boolean break case catch char class const continue def default defer del delete do ' +
    'double elif else end enum except export extends extern false final finally float fn for foreach from func function ' +
    'global go if impl implements import in instanceof int interface internal is lambda let long loop match mod module mut ' +
    'namespace new nil none not null object of override package pass private protected pub public raise readonly record ' +
    'return self short static string struct super switch then this throw throws trait true try type typedef typeof union ' +
    'unsafe unsigned use using val var virtual void volatile when where while with yield'
  ).split(' '),
)
const SQL = new Set(
  (
    'add all alter and as asc begin between by case commit constraint create default delete desc distinct drop else end ' +
    'exists foreign from group having in index inner insert into is join key left like limit not null on or order outer ' +
    'primary references right rollback select set table then union unique update using values view when where with'
  ).split(' '),
)
/** Languages whose comments start with `#`. */
const HASH_COMMENTS = new Set([
  'py',
  'python',
  'sh',
  'bash',
  'shell',
  'zsh',
  'rb',
  'ruby',
  'yaml',
  'yml',
  'toml',
  'r',
  'perl',
])
const PLAIN = new Set(['', 'text', 'txt', 'plain', 'log', 'diff', 'console', 'output', 'md', 'markdown'])

/** Longer blocks are not highlighted: they are usually logs. */
const MAX_LENGTH = 20_000

/** Highlights comments, strings, numbers, keywords and calls by pattern, without a grammar. Keeps every character. */
export function highlight(code: string, language: string): readonly CodeRun[] {
  const name = language.toLowerCase()
  if (PLAIN.has(name) || code.length > MAX_LENGTH) return [{ kind: 'plain', text: code }]
  const keywords = name === 'sql' ? SQL : KEYWORDS
  const comment = HASH_COMMENTS.has(name)
    ? '#[^\\n]*'
    : name === 'sql'
      ? '--[^\\n]*'
      : '\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/'
  const pattern = new RegExp(
    `(?<comment>${comment})|(?<string>"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)` +
      `|(?<number>\\b\\d[\\d_.]*(?:e[+-]?\\d+)?\\b)|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)`,
    'giu',
  )
  const runs: CodeRun[] = []
  let from = 0
  for (const hit of code.matchAll(pattern)) {
    const kind = kindOf(hit, keywords, name === 'sql', code.slice(hit.index + hit[0].length))
    if (kind === 'plain') continue
    if (hit.index > from) runs.push({ kind: 'plain', text: code.slice(from, hit.index) })
    runs.push({ kind, text: hit[0] })
    from = hit.index + hit[0].length
  }
  if (from < code.length) runs.push({ kind: 'plain', text: code.slice(from) })
  return runs
}

function kindOf(hit: RegExpExecArray, keywords: ReadonlySet<string>, anyCase: boolean, after: string): CodeRun['kind'] {
  const { comment, string, number, word } = hit.groups ?? {}
  if (comment !== undefined) return 'comment'
  if (string !== undefined) return 'string'
  if (number !== undefined) return 'number'
  if (word === undefined) return 'plain'
  if (keywords.has(anyCase ? word.toLowerCase() : word)) return 'keyword'
  if (after.startsWith('(')) return 'fn'
  return /^[A-Z][A-Z0-9_]{2,}$/.test(word) ? 'number' : 'plain'
}

const NAMES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  typescript: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  javascript: 'JavaScript',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  ruby: 'Ruby',
  rs: 'Rust',
  rust: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  swift: 'Swift',
  cs: 'C#',
  c: 'C',
  cpp: 'C++',
  sql: 'SQL',
  sh: 'Shell',
  bash: 'Shell',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  html: 'HTML',
  css: 'CSS',
  md: 'Markdown',
  php: 'PHP',
  dart: 'Dart',
  toml: 'TOML',
  xml: 'XML',
  diff: 'Diff',
}

/** Display name of a language; the same in every locale. */
const languageName = (language: string): string => NAMES[language.toLowerCase()] ?? language

/** Whether a text is only a few emoji, which are shown large. `isCustom`: whether the workspace has an emoji of that name. */
export function isEmojiOnly(text: string, isCustom: (name: string) => boolean = () => false): boolean {
  const trimmed = text.trim()
  if (trimmed.length > 60 + MAX_LARGE_EMOJI * 32) return false
  const parts = splitEmoji(trimmed)
  if (parts.some((part) => 'name' in part && !isCustom(part.name))) return false
  const plain = parts.map((part) => ('name' in part ? '⭐' : part.text)).join('')
  if (plain.length > 60) return false
  const count = emojiAlone(plain)
  return count > 0 && count <= MAX_LARGE_EMOJI
}
const MAX_LARGE_EMOJI = 8

/** No part of what a window starts with: main parses the texts of messages. */
const parser = codeOf(async () => (await import('#shared/rules/markdown/parse.ts')).parseText)

/**
 * Blocks of a text: those that main sent with it, or those of a text without formatting; any other text is parsed here,
 * and is as it was written until the parser is loaded.
 */
export function useBlocks(text: string, sent?: readonly Block[]): readonly Block[] {
  const isHere = sent === undefined && !isPlainText(text)
  const parse = useCode(parser, isHere)
  return useMemo(
    () => sent ?? (isHere && parse !== undefined ? parse(shownText(text)) : plainBlocks(shownText(text))),
    [text, sent, isHere, parse],
  )
}

/** Blocks of a text, wherever it is from. */
export const blocksOf = async (text: string): Promise<readonly Block[]> =>
  isPlainText(text) ? plainBlocks(text) : (await parser.load())(text)
