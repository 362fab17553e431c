import { useState, use, useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import { useHost, useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { keysOf, chordOf, type Chord, parseChord } from '../../../lib/text/chords.ts'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { cx } from '../../../lib/cx.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { FoundRow, showFound } from '../controls/SettingRow.tsx'
import { updateSettings } from '../commands.ts'
import type { Shortcut, ShortcutGroup } from '../../../app/keys/shortcuts.tsx'
import styles from './Keys.module.css'

type Props = { readonly groups: readonly ShortcutGroup[] }

/** All shortcuts; some can be changed. */
export function KeyboardSettings({ groups }: Props) {
  const t = useTexts('preferences')
  const [query, setQuery] = useState('')
  const choice = useKeyChoice(groups.flatMap(({ shortcuts }) => shortcuts))
  const answers = useMatches(query)
  const shown = groups
    .map((group) => ({ ...group, shortcuts: group.shortcuts.filter(answers) }))
    .filter(({ shortcuts }) => shortcuts.length > 0)
  return (
    <>
      <FindField label={t('keys.find')} value={query} onChange={setQuery} />
      {shown.length === 0 ? <p role="status">{t('keys.none')}</p> : null}
      <div className={styles['groups']}>
        {shown.map(({ id, title, shortcuts }) => (
          <section key={id} aria-labelledby={`keys-${id}`}>
            <h2 id={`keys-${id}`}>{title}</h2>
            {shortcuts.some(({ movable }) => movable) ? null : <p className={styles['note']}>{t('keys.fixedHint')}</p>}
            <ul>
              {shortcuts.map((shortcut) => (
                <KeyRow key={shortcut.id} shortcut={shortcut} choice={choice} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

/** Whether a shortcut matches the query, by label or by keys as shown on the keycaps. */
function useMatches(query: string): (shortcut: Shortcut) => boolean {
  const { os } = useHost()
  const wanted = fold(query).trim()
  const capsOf = (chord: string): string => fold(keysOf(chord, os).join(' '))
  return ({ label, chords }) =>
    wanted === '' ||
    fold(label).includes(wanted) ||
    chords.some((chord) => capsOf(chord).includes(wanted.replaceAll('+', ' ').replaceAll(/\s+/g, ' ')))
}

type KeyRowProps = { readonly shortcut: Shortcut; readonly choice: KeyChoice }

/** An action and its shortcuts; a click on a changeable one records a new shortcut. */
function KeyRow({ shortcut, choice }: KeyRowProps) {
  const t = useTexts('preferences')
  const { os } = useHost()
  const isFound = use(FoundRow) === shortcut.label
  const { movable, changed, label, chords } = shortcut
  const isWaiting = choice.recording === shortcut.id
  const button = useFocusBack(isWaiting)
  const caps =
    chords.length === 0 ? (
      <span className={styles['noKeys']}>{t('keys.noKeys')}</span>
    ) : (
      chords.map((chord) => <Keys key={chord} keys={keysOf(chord, os)} />)
    )
  return (
    <li
      ref={isFound ? showFound : undefined}
      tabIndex={isFound ? -1 : undefined}
      className={cx(styles['row'], isFound && styles['found'])}
    >
      <span className={styles['label']}>{label}</span>
      {isWaiting ? (
        <Recorder shortcut={shortcut} choice={choice} />
      ) : (
        <>
          {changed ? (
            <IconButton
              icon="undo"
              iconSize={15}
              label={t('keys.restore', { action: label })}
              onClick={() => choice.restore(shortcut)}
            />
          ) : null}
          {movable ? (
            <button
              ref={button}
              type="button"
              className={styles['caps']}
              aria-label={`${t('keys.change', { action: label })}. ${chords.map((chord) => keysOf(chord, os).join(' + ')).join(', ')}`}
              onClick={() => choice.start(shortcut.id)}
            >
              {caps}
            </button>
          ) : (
            <span className={styles['caps']}>{caps}</span>
          )}
        </>
      )}
    </li>
  )
}

/** Returns the focus to its button after recording, unless something else was focused. */
function useFocusBack(isWaiting: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const waited = useRef(false)
  useEffect(() => {
    if (waited.current && !isWaiting && document.activeElement === document.body) button.current?.focus()
    waited.current = isWaiting
  }, [isWaiting])
  return button
}

/** Records a new shortcut. Captures every key, so that none triggers its current action. */
function Recorder({ shortcut, choice }: KeyRowProps) {
  const t = useTexts('preferences')
  const { os } = useHost()
  const wait = useRef<HTMLButtonElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return choice.stop()
    if (event.key === 'Backspace' || event.key === 'Delete') return choice.remove(shortcut)
    const chord = chordOf(event.nativeEvent, os)
    if (chord !== undefined) choice.press(shortcut, chord)
  }
  const { conflict } = choice
  return (
    <div className={styles['recorder']}>
      <button
        ref={(element) => {
          if (wait.current === null) element?.focus()
          wait.current = element
        }}
        type="button"
        className={styles['waiting']}
        aria-describedby="keys-press-hint"
        onKeyDown={onKeyDown}
        onBlur={({ relatedTarget }) => {
          // Focus may move to the button beside it; anywhere else ends recording.
          if (!(relatedTarget instanceof Element) || relatedTarget.closest('[data-keys-take]') === null) choice.stop()
        }}
      >
        {conflict === undefined ? t('keys.press') : keysOf(conflict.chord, os).join(' + ')}
      </button>
      {conflict === undefined ? (
        <p id="keys-press-hint" className={styles['note']}>
          {t('keys.pressHint')}
        </p>
      ) : (
        <Objection conflict={conflict} onTake={() => choice.take(shortcut)} />
      )}
    </div>
  )
}

/** Why a shortcut cannot be used, with a button to reassign it if possible. */
function Objection({
  conflict: { chord, verdict },
  onTake,
}: {
  readonly conflict: Conflict
  readonly onTake: () => void
}) {
  const t = useTexts('preferences')
  const { os } = useHost()
  if (verdict.kind === 'refused') {
    return (
      <p role="alert" className={styles['note']}>
        {t(`keys.refused.${verdict.why}`)}
      </p>
    )
  }
  const text = { keys: keysOf(chord, os).join(' + '), action: verdict.by.label }
  return (
    <>
      <p role="alert" className={styles['note']}>
        {verdict.movable ? t('keys.taken', text) : t('keys.fixed', text)}
      </p>
      {verdict.movable ? (
        <span data-keys-take="">
          <Button size="small" onClick={onTake}>
            {t('keys.take')}
          </Button>
        </span>
      ) : null}
    </>
  )
}

type ChangedKeys = Readonly<Record<string, readonly Chord[]>>

/** A recorded chord that conflicts or is refused. */
type Conflict = { readonly chord: Chord; readonly verdict: Exclude<Verdict, { kind: 'free' }> }

/** The action whose shortcut is being recorded, and its conflict. */
type KeyChoice = {
  readonly recording: string | undefined
  readonly conflict: Conflict | undefined
  readonly start: (id: string) => void
  readonly stop: () => void
  /** A chord was pressed for the action. */
  readonly press: (shortcut: Shortcut, chord: Chord) => void
  /** Reassigns the conflicting chord to the action. */
  readonly take: (shortcut: Shortcut) => void
  readonly remove: (shortcut: Shortcut) => void
  readonly restore: (shortcut: Shortcut) => void
}

function useKeyChoice(all: readonly Shortcut[]): KeyChoice {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const { keys } = useSettings()
  const [recording, setRecording] = useState<string>()
  const [conflict, setConflict] = useState<Conflict>()
  const stop = (): void => {
    setRecording(undefined)
    setConflict(undefined)
  }
  const write = async (changed: ChangedKeys, announcement: string): Promise<void> => {
    stop()
    const done = await dispatch(updateSettings({ keys: changed }))
    if (done.ok) announce(announcement)
  }
  const capsOf = (chord: Chord): string => keysOf(chord, os).join(' + ')
  const give = (shortcut: Shortcut, chord: Chord, from: ChangedKeys): void =>
    void write({ ...from, [shortcut.id]: [chord] }, t('keys.set', { action: shortcut.label, keys: capsOf(chord) }))
  return {
    recording,
    conflict,
    start(id) {
      setRecording(id)
      setConflict(undefined)
    },
    stop,
    press(shortcut, chord) {
      const verdict = judge(chord, shortcut, all)
      if (verdict.kind === 'free') give(shortcut, chord, keys)
      else setConflict({ chord, verdict })
    },
    take(shortcut) {
      if (conflict?.verdict.kind !== 'taken') return
      const { chord, verdict } = conflict
      const left = verdict.by.chords.filter((held) => !same(held, chord))
      give(shortcut, chord, { ...keys, [verdict.by.id]: left })
    },
    remove: ({ id, label }) => void write({ ...keys, [id]: [] }, t('keys.removed', { action: label })),
    restore({ id }) {
      const { [id]: _own, ...others } = keys
      void write(others, t('keys.restored'))
    },
  }
}

type Refusal = 'types' | 'alt' | 'field' | 'editing' | 'system'

/** Whether an action may have a shortcut. */
type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** Used by another action; `movable`: can be reassigned. */
  | { readonly kind: 'taken'; readonly by: Shortcut; readonly movable: boolean }

const LETTER = /^[a-z]$/
const FUNCTION_KEY = /^F([1-9]|1[0-9]|2[0-4])$/
/** Keys that work inside fields, lists and menus, also with Shift. */
const IN_FIELDS: ReadonlySet<string> = new Set(
  'Enter Escape Tab Space Backspace Delete Insert ContextMenu ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown'.split(
    ' ',
  ),
)
/** Keys that work there with Ctrl too: send, line break, select. */
const ALWAYS_IN_FIELDS: ReadonlySet<string> = new Set(['Enter', 'Tab', 'Space'])
const EDITING: ReadonlySet<string> = new Set([
  'Mod+A',
  'Mod+C',
  'Mod+V',
  'Mod+X',
  'Mod+Y',
  'Mod+Z',
  'Mod+Shift+Z',
  'Mod+Shift+V',
])
/** Reserved by system or browser: closing, reloading, tabs, zoom, developer tools. */
const OF_SYSTEM: ReadonlySet<string> = new Set(
  'Mod+W Mod+Q Mod+R Mod+T Mod+Shift+W Mod+Shift+R Mod+0 Mod+- Mod+= Alt+F4 F5 F11 F12'.split(' '),
)

/** Checks a shortcut for an action. */
export function judge(chord: Chord, own: Pick<Shortcut, 'id' | 'place'>, all: readonly Shortcut[]): Verdict {
  const why = refusalOf(chord, own.place)
  if (why !== undefined) return { kind: 'refused', why }
  const by = all.find(
    (shortcut) =>
      shortcut.id !== own.id && meet(shortcut.place, own.place) && shortcut.chords.some((held) => same(held, chord)),
  )
  return by === undefined ? { kind: 'free' } : { kind: 'taken', by, movable: by.movable }
}

/** Shortcuts of messages and of the composer do not conflict; those of the window conflict with both. */
const meet = (a: Shortcut['place'], b: Shortcut['place']): boolean => a === b || a === 'window' || b === 'window'

function refusalOf(chord: Chord, place: Shortcut['place']): Refusal | undefined {
  const { key, mod, ctrl, alt } = parseChord(chord)
  const types = key.length <= 1
  if (chord.includes('Meta+') || OF_SYSTEM.has(chord)) return 'system'
  if (alt && types) return 'alt'
  if (EDITING.has(chord)) return 'editing'
  if (ALWAYS_IN_FIELDS.has(key)) return 'field'
  if (mod || ctrl || alt || FUNCTION_KEY.test(key)) return undefined
  // A letter alone is allowed only for actions on a focused message, where nothing is typed.
  if (types) return place === 'messages' && LETTER.test(key) ? undefined : 'types'
  return IN_FIELDS.has(key) ? 'field' : 'system'
}

/** Whether two chords are the same keys. */
const same = (a: Chord, b: Chord): boolean => JSON.stringify(parseChord(a)) === JSON.stringify(parseChord(b))
