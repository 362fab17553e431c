import { useTexts } from '../../i18n/index.ts'
import { keysOf } from '../../lib/chords.ts'
import { useAppDispatch, useHost } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/ui.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Keys } from '../../ui/Keys.tsx'
import styles from './Settings.module.css'

/** One line of the sheet; several chords do the same. */
export type Shortcut = { readonly id: string; readonly label: string; readonly chords: readonly string[] }
export type ShortcutGroup = { readonly id: string; readonly title: string; readonly shortcuts: readonly Shortcut[] }

/** Every shortcut of the registry, by where it works. */
export function Keyboard({ groups }: { readonly groups: readonly ShortcutGroup[] }) {
  const t = useTexts('settings')
  const { os } = useHost()
  return (
    // Nothing in it can be pressed, and it is longer than most windows: it is focused to be scrolled by keys.
    <div className={styles['sheet']} role="group" aria-label={t('keyboard.sheet')} tabIndex={0}>
      {groups.map((group) => (
        <section key={group.id}>
          <h2>{group.title}</h2>
          <dl className={styles['keys']}>
            {group.shortcuts.map((shortcut) => (
              <div key={shortcut.id} className={styles['key']}>
                <dt>{shortcut.label}</dt>
                <dd>
                  {shortcut.chords.map((chord) => (
                    <Keys key={chord} keys={keysOf(chord, os)} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** The same list over any screen. */
export function ShortcutSheet({ groups }: { readonly groups: readonly ShortcutGroup[] }) {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  return (
    <Dialog title={t('keyboard.sheet')} width={720} onClose={() => dispatch(dialogClosed())}>
      <Keyboard groups={groups} />
    </Dialog>
  )
}
