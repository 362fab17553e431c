import { asCid } from '#shared/lib/brand.ts'
import type { LinkPreviewChoices } from '#shared/domain/attachment.ts'
import { blockedHost, withChannel } from '#shared/rules/messages/link-previews.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useSettings } from '../../../store/hooks.ts'
import { selectSession } from '../../../store/selectors.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { updateSettings } from '../commands.ts'
import { ChannelList, CommaListForm, SettingRow } from '../controls/SettingRow.tsx'
import { ManagedBy, useIsManaged } from '../managed/ManagedSettings.tsx'

/** Whether links get a preview. */
export function LinkPreviews() {
  const t = useTexts('composer')
  const [choices, choose] = useChoices()
  if (useIsManaged('AllowLinkPreviews')) {
    return (
      <SettingRow title={t('previews.settings.title')} hint={t('previews.settings.off')}>
        <ManagedBy />
      </SettingRow>
    )
  }
  return (
    <SettingRow title={t('previews.settings.title')} hint={t('previews.settings.hint')}>
      <Segments
        label={t('previews.settings.title')}
        value={choices.mode}
        onChange={(mode) => choose({ ...choices, mode })}
        choices={[
          { value: 'ask', label: t('previews.settings.ask') },
          { value: 'on', label: t('previews.settings.on') },
          { value: 'off', label: t('previews.settings.off') },
        ]}
      />
    </SettingRow>
  )
}

/** Sites and channels that differ from the general setting. */
export function PreviewExceptions() {
  const [choices] = useChoices()
  const isManaged = useIsManaged('AllowLinkPreviews')
  if (isManaged) return null
  return (
    <>
      {choices.mode === 'off' ? null : <Sites key={choices.blocked.join()} />}
      <Exceptions on={false} />
      <Exceptions on />
    </>
  )
}

function useChoices(): [LinkPreviewChoices, (choices: LinkPreviewChoices) => void] {
  const dispatch = useAppDispatch()
  return [useSettings().linkPreviews, (linkPreviews) => void dispatch(updateSettings({ linkPreviews }))]
}

function Sites() {
  const t = useTexts('composer')
  const [choices, choose] = useChoices()
  const faultOf = (names: readonly string[]): string | undefined => {
    const wrong = names.find((name) => blockedHost(name) === undefined)
    return wrong === undefined ? undefined : t('previews.settings.notASite', { site: wrong })
  }
  return (
    <CommaListForm
      label={t('previews.settings.blocked')}
      hint={t('previews.settings.blockedHint')}
      saveLabel={t('previews.settings.save')}
      saved={choices.blocked}
      faultOf={faultOf}
      onSave={(names) =>
        choose({ ...choices, blocked: [...new Set(names.flatMap((name) => blockedHost(name) ?? []))] })
      }
    />
  )
}

/** Channels of this account that differ from the general setting. */
function Exceptions({ on }: { readonly on: boolean }) {
  const t = useTexts('composer')
  const [choices, choose] = useChoices()
  const account = useAppSelector((state) => sidebarKey(selectSession(state)))
  const cids = Object.entries(choices.channels[account] ?? {}).flatMap(([cid, set]) => (set === on ? [asCid(cid)] : []))
  return (
    <ChannelList
      title={on ? t('previews.settings.here') : t('previews.settings.except')}
      cids={cids}
      forget={(name) => t('previews.settings.forget', { name })}
      onForget={(cid) => choose(withChannel(choices, { account, cid }, undefined))}
    />
  )
}
