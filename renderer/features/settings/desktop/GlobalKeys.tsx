import { useState, type KeyboardEvent } from 'react'
import type { GlobalKeys as GlobalKeysName } from '#shared/domain/desktop/desktop.ts'
import { globalAccelerator } from '#shared/rules/desktop/desktop.ts'
import { useTexts } from '../../../i18n/index.ts'
import { chordOf, keysOf } from '../../../lib/text/chords.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useHost } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'
import type { DesktopPage } from './use-desktop.ts'

type Props = { readonly page: DesktopPage; readonly what: GlobalKeysName; readonly taken: boolean }

/** Keys that work in every program: pressed to be chosen, and refused by name where they would take something away. */
export function GlobalKeys({ page, what, taken }: Props) {
  const t = useTexts('desktop')
  const { os } = useHost()
  const [waiting, setWaiting] = useState(false)
  const [unfit, setUnfit] = useState(false)
  const shortcut = page.choices[what]
  const title = t(`page.${what}`)
  const problem = unfit
    ? t('page.shortcutRefused')
    : page.refused?.field === what
      ? page.refused.text
      : taken
        ? t('page.shortcutTaken')
        : undefined
  const choose = (chord: string): void => {
    setWaiting(false)
    void page.choose({ [what]: chord })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setWaiting(false)
    const chord = chordOf(event.nativeEvent, os)
    if (chord === undefined) return
    const fits = globalAccelerator(chord) !== undefined
    setUnfit(!fits)
    if (fits) choose(chord)
  }
  return (
    <>
      <SettingRow title={title} hint={t(`page.${what}Hint`)}>
        {shortcut === '' || waiting ? null : <Keys keys={keysOf(shortcut, os)} />}
        {waiting ? (
          <Button ref={focusOnce} onKeyDown={onKeyDown} onBlur={() => setWaiting(false)}>
            {t('page.shortcutPress')}
          </Button>
        ) : (
          <Button aria-label={t('page.shortcutRecordOf', { name: title })} onClick={() => setWaiting(true)}>
            {t('page.shortcutRecord')}
          </Button>
        )}
        {shortcut === '' ? null : (
          <Button aria-label={t('page.shortcutClearOf', { name: title })} onClick={() => choose('')}>
            {t('page.shortcutClear')}
          </Button>
        )}
      </SettingRow>
      {problem === undefined ? null : (
        <p role="alert" className={styles['hint']}>
          {problem}
        </p>
      )}
    </>
  )
}
