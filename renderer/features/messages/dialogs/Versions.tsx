import { useFormats, useTexts } from '../../../i18n/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { Portrait, useName } from '../../people/index.ts'
import styles from './DetailsDialog.module.css'

/** `byId`: who wrote it, where that is known. */
type Shown = { readonly at: number; readonly text: string; readonly byId?: string }

type Props = {
  /** Oldest first. */
  readonly versions: readonly Shown[]
  readonly createdAt: number
}

/** The versions of a message, each with what changed since the one before. */
export function Versions({ versions, createdAt }: Props) {
  return (
    <ol className={styles['edits']}>
      {versions.map((version, index) => (
        <li key={version.at}>
          <VersionHead version={version} isFirst={version.at <= createdAt} />
          <Version before={versions[index - 1]?.text} text={version.text} />
        </li>
      ))}
    </ol>
  )
}

function VersionHead({ version, isFirst }: { readonly version: Shown; readonly isFirst: boolean }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const { at, byId } = version
  return (
    <p className={styles['faint']}>
      {byId === undefined ? null : <Writer userId={byId} />}
      {t(isFirst ? 'details.original' : 'details.edited', { time: formats.dayAndTime(at) })}
    </p>
  )
}

function Writer({ userId }: { readonly userId: string }) {
  const name = useName(userId)
  return (
    <span className={styles['writer']}>
      <Portrait userId={userId} size={20} />
      <bdi className="ellipsis">{name}</bdi>
    </span>
  )
}

function Version({ before, text }: { readonly before: string | undefined; readonly text: string }) {
  const t = useTexts('messages')
  if (before === undefined) {
    return (
      <p className={styles['text']} dir="auto">
        <EmojiText text={text} />
      </p>
    )
  }
  return (
    <p className={styles['text']} dir="auto">
      {wordDiff(before, text).map((run, index) => {
        if (run.kind === 'same') return <EmojiText key={index} text={run.text} />
        const Tag = run.kind === 'removed' ? 'del' : 'ins'
        return (
          <Tag key={index}>
            <span className="sr-only">{t(`details.${run.kind}`)} </span>
            <EmojiText text={run.text} />
          </Tag>
        )
      })}
    </p>
  )
}

/** A run of unchanged, removed or added words. */
type DiffRun = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }

/** Largest table to compute; longer texts are shown as removed and added as a whole. */
const MAX_CELLS = 400_000

/** The difference between two texts by word; spaces and punctuation are separate tokens. */
export function wordDiff(before: string, after: string): readonly DiffRun[] {
  const [a, b] = [tokensOf(before), tokensOf(after)]
  const head = sharedStart(a, b)
  const tail = sharedStart(a.slice(head).toReversed(), b.slice(head).toReversed())
  const middle = diffOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return joined([
    ...a.slice(0, head).map((text) => ({ kind: 'same', text }) as const),
    ...middle,
    ...a.slice(a.length - tail).map((text) => ({ kind: 'same', text }) as const),
  ])
}

const tokensOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

/** Difference by longest common subsequence, computed from the end. */
function diffOf(a: readonly string[], b: readonly string[]): readonly DiffRun[] {
  if (a.length * b.length > MAX_CELLS) return [removed(a), added(b)].flat()
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const of = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j] ? of(i + 1, j + 1) + 1 : Math.max(of(i + 1, j), of(i, j + 1))
    }
  }
  const runs: DiffRun[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      runs.push({ kind: 'same', text: a[i] ?? '' })
      i += 1
      j += 1
    } else if (of(i + 1, j) >= of(i, j + 1)) runs.push({ kind: 'removed', text: a[i++] ?? '' })
    else runs.push({ kind: 'added', text: b[j++] ?? '' })
  }
  return [...runs, ...removed(a.slice(i)), ...added(b.slice(j))]
}

const removed = (tokens: readonly string[]): readonly DiffRun[] => tokens.map((text) => ({ kind: 'removed', text }))
const added = (tokens: readonly string[]): readonly DiffRun[] => tokens.map((text) => ({ kind: 'added', text }))

/** Joins adjacent runs of the same kind. */
function joined(runs: readonly DiffRun[]): readonly DiffRun[] {
  const out: DiffRun[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last?.kind === run.kind) out[out.length - 1] = { kind: run.kind, text: last.text + run.text }
    else out.push(run)
  }
  return out
}
