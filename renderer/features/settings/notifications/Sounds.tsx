import type { CSSProperties } from 'react'
import { OWN_SOUNDS, SOUNDS, type SoundKind } from '#shared/domain/notification.ts'
import { ownSound } from '#shared/rules/notifications/notify-sounds.ts'
import { useTexts } from '../../../i18n/index.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { SwitchRow } from '../controls/SwitchRow.tsx'
import { OwnFile, usePlay } from './OwnFile.tsx'
import { useChoices } from './use-choices.ts'
import settings from '../Settings.module.css'
import styles from './Notifications.module.css'

const KINDS = ['meant', 'message', 'reminder'] as const satisfies readonly SoundKind[]

/** Whether notifications play a sound, and which one for each kind. */
export function Sounds() {
  const t = useTexts('notifications')
  const [{ sound, sounds }, choose] = useChoices()
  const own = OWN_SOUNDS.some((name) => KINDS.some((kind) => sounds[kind] === name))
  return (
    <>
      <SwitchRow
        title={t('page.sound')}
        hint={t('page.soundHint')}
        on={sound}
        onChange={(on) => choose({ sound: on })}
      />
      {sound ? KINDS.map((kind) => <Kind key={kind} kind={kind} />) : null}
      {sound ? <OwnFile /> : null}
      {sound && own ? (
        <SettingRow title={t('page.volume')} hint={t('page.volumeHint')}>
          <input
            type="range"
            className={settings['slider']}
            min={0}
            max={100}
            step={5}
            style={{ '--filled': `${sounds.volume}%` } as CSSProperties}
            value={sounds.volume}
            aria-label={t('page.volume')}
            onChange={({ currentTarget }) => choose({ sounds: { ...sounds, volume: currentTarget.valueAsNumber } })}
          />
        </SettingRow>
      ) : null}
    </>
  )
}

function Kind({ kind }: { readonly kind: SoundKind }) {
  const t = useTexts('notifications')
  const [{ sounds }, choose] = useChoices()
  const chosen = sounds[kind]
  const own = ownSound(chosen)
  const play = usePlay()
  const effect = chosen === 'system' || chosen === 'none' ? chosen : 'own'
  return (
    <SettingRow title={t(`page.soundOf.${kind}`)} hint={t(`page.soundEffects.${effect}`)}>
      <span className={styles['buttons']}>
        <Select
          label={t(`page.soundOf.${kind}`)}
          value={chosen}
          onChange={(value) => choose({ sounds: { ...sounds, [kind]: value } })}
          choices={SOUNDS.filter((value) => value !== 'file' || value === chosen || sounds.file !== '').map(
            (value) => ({
              value,
              label: t(`page.sounds.${value}`),
            }),
          )}
        />
        <IconButton
          icon="play"
          label={t('page.listen')}
          aria-disabled={own === undefined || undefined}
          onClick={() => own && void play(own)}
        />
      </span>
    </SettingRow>
  )
}
