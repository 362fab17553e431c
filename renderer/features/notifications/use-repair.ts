import type { NotifyRecord } from '#shared/domain/notification.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { muteChannel } from '../sidebar/index.ts'
import { updateSettings } from '../settings/index.ts'
import { followThread } from '../threads/index.ts'

type Options = { readonly cid: Cid; readonly messageId: MessageId; readonly record: NotifyRecord | undefined }
type Repair = { readonly label: string; readonly run: () => void }

/** The action that changes what decided about a notification; the settings page if there is no specific one. */
export function useRepair({ cid, messageId, record }: Options): Repair {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const notifications = useSetting('notifications')
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const parentId = message?.parentId
  const author = message?.userId
  const settings: Repair = {
    label: t('repair.settings'),
    run: () => void dispatch(routeOpened({ view: 'settings', section: 'notifications' })),
  }
  const level: Repair = {
    label: t('repair.level'),
    run: () => void dispatch(dialogOpened({ kind: 'notify-level', cid })),
  }
  const last = record?.steps.at(-1)
  if (record === undefined || last === undefined || record.outcome === 'refused') return settings
  if (record.notifies) return level
  switch (last.rule) {
    case 'level':
      return level
    case 'channel-muted':
      return { label: t('repair.unmute'), run: () => void dispatch(muteChannel({ cid, muted: false })) }
    case 'person-muted':
      if (author === undefined) return settings
      return { label: t('repair.person'), run: () => void dispatch(dialogOpened({ kind: 'person', userId: author })) }
    case 'cause':
      if (parentId === undefined) return settings
      return {
        label: t('repair.follow'),
        run: () => void dispatch(followThread({ cid, parentId, follows: true })),
      }
    case 'quiet':
      if (last.by !== 'pause') return settings
      return {
        label: t('repair.resume'),
        run: () => void dispatch(updateSettings({ notifications: { ...notifications, pausedUntil: 0 } })),
      }
    case 'account-muted':
      return {
        label: t('repair.account'),
        run: () => void dispatch(routeOpened({ view: 'settings', section: 'workspace' })),
      }
    case 'own':
    case 'kind':
    case 'read':
    case 'watching':
    case 'late':
      return settings
  }
}
