import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { SEGMENT_LIMITS, type ResolvedLine, type Segment } from '#shared/domain/manage/segments.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import { addTargets, resolveLines } from './drafts.ts'
import styles from './Segments.module.css'

type Props = { readonly segment: Segment }

/** Typing is over for the moment. */
const PAUSE_MS = 400
/** Lines of one question to the server. */
const AT_ONCE = 200
/** A longer list does not help anybody to correct it. */
const SHOWN = 50
const MAX_FILE_BYTES = 10_000_000

/** People or channels from a pasted list or a CSV file. Only those that are found are added; the rest stays in the field. */
export function AddList({ segment }: Props) {
  const t = useTexts('segments')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, kind } = segment
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState<Note>()
  const [working, setWorking] = useState(false)
  const read = useMemo(() => readLines(typed), [typed])
  const resolved = useResolved(segment, read.lines)
  const found = useMemo(() => readyOf(resolved.lines), [resolved.lines])
  const isReady = resolved.lines.length === read.lines.length && found.length > 0
  const add = async (): Promise<void> => {
    if (offline || working || !isReady) return
    setWorking(true)
    setNote(undefined)
    const { added, failed } = await addInSteps(found, (targetIds) => dispatch(addTargets({ id, targetIds })))
    setWorking(false)
    const lines = linesNaming(resolved.lines, new Set(found.slice(0, added)))
    setTyped(read.lines.filter((line) => !lines.has(line)).join('\n'))
    setNote(failed === undefined ? { kind: 'added', count: added } : { kind: 'refused', error: failed })
    if (failed === undefined) announce(t('add.done', { count: added }))
  }
  return (
    <div className={styles['addList']}>
      <div>
        <TextArea
          label={t(`add.label.${kind}`)}
          rows={6}
          spellCheck={false}
          value={typed}
          hint={t('add.limit', { count: SEGMENT_LIMITS.added })}
          onChange={(text) => {
            setNote(undefined)
            setTyped(text)
          }}
        />
        <FileButton
          onRead={(text, column) => {
            setTyped((before) => [before.trim(), text].filter((each) => each !== '').join('\n'))
            setNote(column === undefined ? undefined : { kind: 'column', column })
          }}
          onRefused={setNote}
        />
        {note === undefined ? null : <NoteLine note={note} />}
      </div>
      {read.lines.length === 0 ? null : (
        <div className={styles['checked']}>
          <Outcome
            lines={resolved.lines}
            all={read.lines.length}
            twice={read.twice + (resolved.lines.filter((each) => each.found.length === 1).length - found.length)}
            tooLong={read.tooLong.length}
            onRemove={(line) => setTyped(read.lines.filter((each) => each !== line).join('\n'))}
            onChoose={(line, chosen) => setTyped(read.lines.map((each) => (each === line ? chosen : each)).join('\n'))}
          />
          {resolved.error === undefined ? null : (
            <p className={styles['refusal']} role="alert">
              {errorText(resolved.error)}
            </p>
          )}
          <Button
            variant="primary"
            working={working}
            aria-disabled={offline || !isReady || undefined}
            title={offline ? t('offline') : undefined}
            onClick={() => void add()}
          >
            {found.length === 0 ? t('someone.add') : t(`add.confirm.${kind}`, { count: found.length })}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What came of the last act. It is put into words when it is shown: the language can change meanwhile. */
type Note =
  | { readonly kind: 'added'; readonly count: number }
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-list'; readonly name: string }
  | { readonly kind: 'refused'; readonly error: ErrorBody }

function NoteLine({ note }: { readonly note: Note }) {
  const t = useTexts('segments')
  const errorText = useErrorText()
  const text = (): string => {
    switch (note.kind) {
      case 'added':
        return t('add.done', { count: note.count })
      case 'column':
        return t('add.column', { column: note.column })
      case 'too-large':
        return t('add.fileTooLarge', { count: MAX_FILE_BYTES / 1_000_000 })
      case 'no-list':
        return t('add.noList', { name: note.name })
      case 'refused':
        return errorText(note.error)
    }
  }
  return (
    <p className={styles['hint']} role="status">
      {text()}
    </p>
  )
}

/** As many at once as one call takes. What is added before one fails stays. */
async function addInSteps(
  ids: readonly string[],
  add: (ids: readonly string[]) => Promise<Result<unknown, ErrorBody>>,
): Promise<{ readonly added: number; readonly failed?: ErrorBody }> {
  for (let at = 0; at < ids.length; at += SEGMENT_LIMITS.added) {
    const done = await add(ids.slice(at, at + SEGMENT_LIMITS.added))
    if (!done.ok) return { added: at, failed: done.error }
  }
  return { added: ids.length }
}

/** The lines that name one of these and nobody else. */
const linesNaming = (lines: readonly ResolvedLine[], ids: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ line, found: [one, other] }) => (other === undefined && ids.has(one?.id ?? '') ? [line] : [])),
  )

/** The ids of those whom the lines name without a doubt, each once. */
const readyOf = (lines: readonly ResolvedLine[]): readonly string[] => [
  ...new Set(lines.flatMap(({ found }) => (found.length === 1 ? found.map(({ id }) => id) : []))),
]

/** The lines as far as the server was asked; those that were asked before are not asked again. */
function useResolved({ kind }: Segment, lines: readonly string[]) {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [known, setKnown] = useState<ReadonlyMap<string, ResolvedLine>>(new Map())
  const [error, setError] = useState<ErrorBody>()
  const unknown = useMemo(() => lines.filter((line) => !known.has(line)).slice(0, AT_ONCE), [lines, known])
  useEffect(() => {
    if (unknown.length === 0 || offline) return undefined
    let wanted = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(resolveLines({ kind, lines: unknown }))
      if (!wanted) return
      setError(answer.ok ? undefined : answer.error)
      if (answer.ok)
        setKnown((before) => new Map([...before, ...answer.value.map((each) => [each.line, each] as const)]))
    }
    // A long list is not being typed.
    const timer = setTimeout(() => void ask(), unknown.length < AT_ONCE ? PAUSE_MS : 0)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [dispatch, kind, unknown, offline])
  return { lines: useMemo(() => lines.flatMap((line) => known.get(line) ?? []), [lines, known]), error }
}

type OutcomeProps = {
  readonly lines: readonly ResolvedLine[]
  readonly all: number
  readonly twice: number
  readonly tooLong: number
  readonly onRemove: (line: string) => void
  readonly onChoose: (line: string, id: string) => void
}

/** How many lines name someone, and what to do with the others. */
function Outcome({ lines, all, twice, tooLong, onRemove, onChoose }: OutcomeProps) {
  const t = useTexts('segments')
  const missing = lines.filter(({ found }) => found.length === 0)
  const several = lines.filter(({ found }) => found.length > 1)
  const isChecking = lines.length < all
  const facts = [
    ['found', lines.length - missing.length - several.length],
    ['twice', twice],
    ['missing', missing.length],
    ['several', several.length],
    ['tooLong', tooLong],
  ] as const
  return (
    <>
      <p className={styles['hint']} role="status">
        {isChecking ? t('add.checking', { checked: lines.length, count: all }) : t('add.checked', { count: all })}
      </p>
      <dl className={styles['facts']}>
        {facts.map(([name, count]) =>
          count === 0 && name !== 'found' ? null : (
            <div key={name}>
              <dt>{t(`add.facts.${name}`)}</dt>
              <dd>{t('add.number', { count })}</dd>
            </div>
          ),
        )}
      </dl>
      <ul className={styles['doubts']}>
        {missing.slice(0, SHOWN).map(({ line }) => (
          <li key={line}>
            <bdi className={styles['strong']}>{line}</bdi>
            <span>{t('add.nobody')}</span>
            <Button size="small" variant="link" onClick={() => onRemove(line)}>
              {t('add.removeLine')}
            </Button>
          </li>
        ))}
        {several.slice(0, SHOWN).map(({ line, found }) => (
          <li key={line}>
            <bdi className={styles['strong']}>{line}</bdi>
            <Select
              label={t('add.which', { name: line })}
              value=""
              choices={[
                { value: '', label: t('add.choose', { count: found.length }) },
                ...found.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
              ]}
              onChange={(chosen) => chosen === '' || onChoose(line, chosen)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

type FileProps = {
  readonly onRead: (lines: string, column: string | undefined) => void
  readonly onRefused: (why: Note) => void
}

function FileButton({ onRead, onRefused }: FileProps) {
  const t = useTexts('segments')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > MAX_FILE_BYTES) return onRefused({ kind: 'too-large' })
    const text = await textOf(file)
    const list = text === undefined ? undefined : readCsv(text)
    if (list === undefined || list.lines.length === 0) return onRefused({ kind: 'no-list', name: file.name })
    onRead(list.lines.join('\n'), list.column)
  }
  return (
    <>
      <Button size="small" icon="upload" onClick={() => input.current?.click()}>
        {t('add.file')}
      </Button>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        hidden
        aria-label={t('add.file')}
        onChange={({ currentTarget }) => {
          void read(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** `undefined`: it is no text. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    return undefined
  }
}

/** A pasted list, or a file of them, as the names and ids in it. */
type ReadList = {
  /** Each once, in the order of the list. */
  readonly lines: readonly string[]
  /** How many times something was listed that was there already. */
  readonly twice: number
  /** Entries that are too long to name anybody. */
  readonly tooLong: readonly string[]
}

/** No id, name or e-mail address is longer. */
const MAX_ENTRY = 255

/** One entry a line. */
export const readLines = (text: string): ReadList => listOf(text.split(/\r\n|\r|\n/))

const listOf = (entries: readonly string[]): ReadList => {
  const trimmed = entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
  const short = trimmed.filter((entry) => entry.length <= MAX_ENTRY)
  const lines = [...new Set(short)]
  return { lines, twice: short.length - lines.length, tooLong: trimmed.filter((entry) => entry.length > MAX_ENTRY) }
}

/** Columns that say who is meant, the best first. */
const COLUMNS = ['id', 'user_id', 'userid', 'user id', 'cid', 'channel_cid', 'email', 'e-mail', 'mail', 'name']

/** A CSV file: the column that names people best, or the first one. `undefined`: it is not closed properly. */
export function readCsv(text: string): (ReadList & { readonly column?: string }) | undefined {
  const rows = csvRows(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (rows === undefined) return undefined
  const [head = [], ...rest] = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const titles = head.map((cell) => cell.trim().toLowerCase())
  const column = COLUMNS.find((name) => titles.includes(name))
  if (column === undefined) return listOf([head, ...rest].map((row) => row[0] ?? ''))
  const at = titles.indexOf(column)
  return { ...listOf(rest.map((row) => row[at] ?? '')), column: head[at]?.trim() ?? column }
}

/** Rows of cells, separated as the first line is: by commas, semicolons or tabs. */
function csvRows(text: string): readonly (readonly string[])[] | undefined {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (letter === '"' && cell.trim() === '') {
      cell = ''
      quoted = true
    } else if (letter === separator || letter === '\n' || letter === '\r') {
      row.push(cell)
      cell = ''
      if (letter === separator) continue
      rows.push(row)
      row = []
    } else cell += letter
  }
  if (quoted) return undefined
  return [...rows, [...row, cell]]
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ','
}
