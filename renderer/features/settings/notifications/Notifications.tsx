import { useId } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useHost } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { ManagedBy } from '../managed/ManagedBy.tsx'
import { useIsManaged } from '../managed/use-managed.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import { Keywords } from './Keywords.tsx'
import { LastOnes } from './LastOnes.tsx'
import { Pause } from './Pause.tsx'
import { Proof } from './Proof.tsx'
import { QuietHoursList } from './QuietHoursList.tsx'
import { Sounds } from './Sounds.tsx'
import { useChoices } from './use-choices.ts'

const LEVELS = ['mentions', 'all', 'none'] as const
const PREVIEWS = ['full', 'sender', 'nothing'] as const
const FLASHES = ['once', 'until-opened', 'never'] as const
const BADGES = ['mentions', 'all', 'off'] as const

/** Which messages notify, how much a notification shows, and quiet times. */
export function Notifications() {
  const t = useTexts('notifications')
  const [{ level, preview, presenting, badge, flash }, choose] = useChoices()
  const { kind } = useHost()
  const isManaged = useIsManaged('NotificationContent')
  const presentingId = useId()
  return (
    <>
      <Proof />
      <h2>{t('page.what')}</h2>
      <SettingRow title={t('page.level')} hint={t(`page.levelHints.${level}`)}>
        <Segments
          label={t('page.level')}
          value={level}
          onChange={(value) => choose({ level: value })}
          choices={LEVELS.map((value) => ({ value, label: t(`page.levels.${value}`) }))}
        />
      </SettingRow>
      <Keywords />
      <h2>{t('page.how')}</h2>
      <SettingRow title={t('page.preview')} hint={t(`page.previewHints.${preview}`)}>
        {isManaged ? (
          <ManagedBy />
        ) : (
          <Select
            label={t('page.preview')}
            value={preview}
            onChange={(value) => choose({ preview: value })}
            choices={PREVIEWS.map((value) => ({ value, label: t(`page.previews.${value}`) }))}
          />
        )}
      </SettingRow>
      <SettingRow id={presentingId} title={t('page.presenting')} hint={<PresentingHint />}>
        <Switch
          labelledBy={presentingId}
          describedBy={`${presentingId}-hint`}
          on={presenting}
          onChange={(on) => choose({ presenting: on })}
        />
      </SettingRow>
      <Sounds />
      <SettingRow title={t('page.badge')} hint={t('page.badgeHint')}>
        <Segments
          label={t('page.badge')}
          value={badge}
          onChange={(value) => choose({ badge: value })}
          choices={BADGES.map((value) => ({ value, label: t(`page.badges.${value}`) }))}
        />
      </SettingRow>
      {kind === 'browser' ? null : (
        <SettingRow title={t('page.flash')} hint={t('page.flashHint')}>
          <Segments
            label={t('page.flash')}
            value={flash}
            onChange={(value) => choose({ flash: value })}
            choices={FLASHES.map((value) => ({ value, label: t(`page.flashes.${value}`) }))}
          />
        </SettingRow>
      )}
      <h2>{t('page.quiet')}</h2>
      <Pause />
      <QuietHoursList />
      <LastOnes />
    </>
  )
}

/** Explains why this is a manual switch: no system reports that the screen is being shared. */
function PresentingHint() {
  const t = useTexts('notifications')
  const { kind, os } = useHost()
  return (
    <>
      {t('page.presentingHint')} {t(`page.presentingSystems.${kind === 'browser' ? 'browser' : os}`)}
    </>
  )
}
