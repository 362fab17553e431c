import { withChosen } from '#shared/rules/channels/chosen-channels.ts'
import { withTraceless } from '#shared/rules/channels/reads.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { sendCommand } from '../../../store/commands.ts'
import { useAppDispatch, useSession, useSettings } from '../../../store/hooks.ts'
import type { SettingsSection } from '../../../store/window/kinds.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { useLiveShares } from '../../locations/index.ts'
import { Blocked } from './Blocked.tsx'
import { ChannelList } from './ChannelList.tsx'
import { updateSettings } from '../commands.ts'
import { LinkPreviews } from './LinkPreviews.tsx'
import { LockSettings } from './LockSettings.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { SwitchRow } from '../controls/SwitchRow.tsx'

/** What others see, what is stored on this device, and who is blocked. */
export function Privacy() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { publishTyping, publishReads, publishDelivery, publishPresence, syncDrafts, notifications } = useSettings()
  return (
    <>
      <h2>{t('privacy.seen')}</h2>
      <SwitchRow
        title={t('privacy.typing')}
        hint={t('privacy.typingHint')}
        on={publishTyping}
        onChange={(on) => void dispatch(updateSettings({ publishTyping: on }))}
      />
      <QuietTyping />
      <SwitchRow
        title={t('privacy.reads')}
        hint={t('privacy.readsHint')}
        on={publishReads}
        onChange={(on) => void dispatch(updateSettings({ publishReads: on }))}
      />
      <SwitchRow
        title={t('privacy.delivery')}
        hint={t('privacy.deliveryHint')}
        on={publishDelivery}
        onChange={(on) => void dispatch(updateSettings({ publishDelivery: on }))}
      />
      <SwitchRow
        title={t('privacy.presence')}
        hint={t('privacy.presenceHint')}
        on={publishPresence}
        onChange={(on) => void dispatch(updateSettings({ publishPresence: on }))}
      />
      <Traceless />
      <Location />
      <h2>{t('privacy.kept')}</h2>
      <SwitchRow
        title={t('privacy.drafts')}
        hint={t('privacy.draftsHint')}
        on={syncDrafts}
        onChange={(on) => void dispatch(updateSettings({ syncDrafts: on }))}
      />
      <Tracks />
      <SettingRow title={t('privacy.history')} hint={<History />}>
        <GoTo section="storage" label={t('privacy.toStorage')} />
      </SettingRow>
      <SettingRow title={t('privacy.hidden')} hint={t(`privacy.hiddenHints.${notifications.preview}`)}>
        <GoTo section="notifications" label={t('privacy.toNotifications')} />
      </SettingRow>
      <LinkPreviews />
      <SettingRow title={t('privacy.reports')} hint={t('privacy.reportsHint')} />
      <LockSettings />
      <Blocked />
    </>
  )
}

/** Channels of this account whose typing indicator is turned off in their details. */
function QuietTyping() {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const session = useSession()
  const { publishTyping, quietTyping } = useSettings()
  if (!publishTyping) return null
  return (
    <ChannelList
      title={t('here.quiet')}
      cids={quietTyping[sidebarKey(session)] ?? []}
      forget={(name) => t('here.quietForget', { name })}
      onForget={(cid) => void dispatch(updateSettings({ quietTyping: withChosen(quietTyping, session, cid, false) }))}
    />
  )
}

/** Channels of this account that are read without receipts. */
function Traceless() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const session = useSession()
  const { traceless } = useSettings()
  const cids = traceless[sidebarKey(session)] ?? []
  if (cids.length === 0) return <SettingRow title={t('privacy.traceless')} hint={t('privacy.tracelessNowhere')} />
  return (
    <ChannelList
      title={t('privacy.traceless')}
      hint={t('privacy.tracelessHint')}
      cids={cids}
      forget={(name) => t('privacy.tracelessForget', { name })}
      onForget={(cid) => void dispatch(updateSettings({ traceless: withTraceless(traceless, session, cid, false) }))}
    />
  )
}

/** Link to another settings page. */
export function GoTo({ section, label }: { readonly section: SettingsSection; readonly label: string }) {
  const dispatch = useAppDispatch()
  return <Button onClick={() => dispatch(routeOpened({ view: 'settings', section }))}>{label}</Button>
}

/** Live locations being shared, with a button to stop. */
function Location() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const shares = useLiveShares()
  const last = shares.at(-1)
  const where = new Set(shares.map(({ cid }) => cid)).size
  return (
    <SettingRow title={t('privacy.location')} hint={t('privacy.locationHint')}>
      {last === undefined ? (
        <span>{t('privacy.nobody')}</span>
      ) : (
        <>
          <span>{t('privacy.shared', { count: where, time: formats.time(last.endAt) })}</span>
          <Button onClick={() => dispatch(sendCommand('stopSharing'))}>{t('privacy.stop')}</Button>
        </>
      )}
    </SettingRow>
  )
}

/** Whether the track of shared live locations is stored on this device while sharing. */
function Tracks() {
  const t = useTexts('locations')
  const dispatch = useAppDispatch()
  const { locationTracks } = useSettings()
  return (
    <SwitchRow
      title={t('track.keep')}
      hint={t('track.hint')}
      on={locationTracks}
      onChange={(on) => void dispatch(updateSettings({ locationTracks: on }))}
    />
  )
}

/** How long messages are stored on this device, as text. */
export function History() {
  const t = useTexts('preferences')
  const formats = useFormats()
  const { keepMessagesDays: count, cacheBudgetMb } = useSettings()
  const size = formats.bytes(cacheBudgetMb * 1_000_000)
  if (count === 0) return cacheBudgetMb === 0 ? t('privacy.historyAllNoLimit') : t('privacy.historyAll', { size })
  return cacheBudgetMb === 0 ? t('privacy.historyDaysNoLimit', { count }) : t('privacy.historyDays', { count, size })
}
