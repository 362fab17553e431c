import { withChosen } from '#shared/rules/channels/channels.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession, useSettings } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { ChannelList, SettingRow } from '../controls/SettingRow.tsx'
import { updateSettings } from '../commands.ts'

const MODES = ['automatic', 'on-leave', 'by-hand'] as const

/** Settings for reading channels. */
export const Reading = () => (
  <>
    <AutoRead />
    <HiddenMedia />
  </>
)

/** When the open channel is marked read. */
function AutoRead() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { autoRead } = useSettings()
  return (
    <SettingRow title={t('reading.autoRead')} hint={t(`reading.hints.${autoRead}`)}>
      <Segments
        label={t('reading.autoRead')}
        value={autoRead}
        onChange={(value) => void dispatch(updateSettings({ autoRead: value }))}
        choices={MODES.map((value) => ({ value, label: t(`reading.modes.${value}`) }))}
      />
    </SettingRow>
  )
}

/** Channels of this account whose media is hidden, as set in their details. */
function HiddenMedia() {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const session = useSession()
  const { hiddenMedia } = useSettings()
  const cids = hiddenMedia[sidebarKey(session)] ?? []
  if (cids.length === 0) return <SettingRow title={t('hiddenMedia.list')} hint={t('hiddenMedia.nowhere')} />
  return (
    <ChannelList
      title={t('hiddenMedia.list')}
      hint={t('hiddenMedia.listHint')}
      cids={cids}
      forget={(name) => t('hiddenMedia.forget', { name })}
      onForget={(cid) => void dispatch(updateSettings({ hiddenMedia: withChosen(hiddenMedia, session, cid, false) }))}
    />
  )
}
