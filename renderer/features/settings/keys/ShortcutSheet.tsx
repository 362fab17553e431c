import { useTexts } from '../../../i18n/index.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import type { ShortcutGroup } from '../../../app/keys/shortcuts.tsx'
import styles from '../Settings.module.css'

/** Overlay with all shortcuts, grouped by where they work. */
export function ShortcutSheet({ groups }: { readonly groups: readonly ShortcutGroup[] }) {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  return (
    <Dialog title={t('keyboard.sheet')} width={720} onClose={() => dispatch(dialogClosed())}>
      {/* Contains no controls and may overflow: focusable, so that it can be scrolled by keyboard. */}
      <div className={styles['sheet']} role="group" aria-label={t('keyboard.sheet')} tabIndex={0}>
        {groups.map((group) => (
          <section key={group.id}>
            <h2>{group.title}</h2>
            <dl className={styles['keys']}>
              {group.shortcuts
                .filter(({ chords }) => chords.length > 0)
                .map((shortcut) => (
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
    </Dialog>
  )
}
