import type { Reminder } from '#shared/domain/message.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector, useChannel, useAppDispatch, useAttachCount, useObject } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { useLineOf } from '../attachments/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import { useName } from '../people/index.ts'
import { useEffect } from 'react'
import { perAccount } from '../../store/objects.ts'
import { closeReminders, openReminders } from './commands.ts'

/** The message of a reminder, for its row and its toast. */
type About = {
  readonly authorId: string | undefined
  readonly author: string
  /** `#release-4-2`, `Direct message`. */
  readonly place: string
  readonly isDirect: boolean
  readonly text: string
}

export function useAbout({ messageId, cid }: Reminder): About {
  const t = useTexts('reminders')
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const author = useName(message?.userId ?? '')
  const lineOf = useLineOf()
  const isDirect = (channel?.directUserIds.length ?? 0) > 0
  return {
    authorId: message?.userId,
    author: message === undefined ? '' : author,
    place: isDirect ? t('row.direct') : title === '' ? t('row.unknownPlace') : `#${title}`,
    isDirect,
    text: message === undefined ? t('row.absent') : lineOf(message),
  }
}

/** Counts the components that need the messages of reminders; the engine counts a page only once. */
class Users {
  #count = 0

  readonly enter = (): number => (this.#count += 1)
  readonly leave = (): number => (this.#count -= 1)
}

const USERS = perAccount(() => new Users())

/** Loads the messages of all reminders while `wanted`. */
export function useReminderMessages(wanted: boolean): void {
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  const users = useObject(USERS)
  useEffect(() => {
    if (!wanted) return undefined
    if (users.enter() === 1 || attached > 1) void dispatch(openReminders())
    return () => {
      if (users.leave() === 0) void dispatch(closeReminders())
    }
  }, [dispatch, users, wanted, attached])
}
