import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import { useHost } from '../../../store/hooks.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { KeyRow } from './KeyRow.tsx'
import type { Shortcut, ShortcutGroup } from './shortcut.ts'
import { useKeyChoice } from './use-key-choice.ts'
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
