import { useState, use, useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import { useHost } from '../../../store/hooks.ts'
import { keysOf, chordOf } from '../../../lib/text/chords.ts'
import { FindField } from '../../../ui/Field/FindField.tsx'
import type { Shortcut, ShortcutGroup } from './shortcut.ts'
import { useKeyChoice, type Conflict, type KeyChoice } from './use-key-choice.ts'
import styles from './Keys.module.css'
import { cx } from '../../../lib/cx.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { FoundRow, showFound } from '../controls/SettingRow.tsx'

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
