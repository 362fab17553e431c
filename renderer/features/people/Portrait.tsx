import { useMemo } from 'react'
import type { Presence, User } from '#shared/domain/user.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useMediaUrl, useUser, useAppSelector } from '../../store/hooks.ts'
import { Avatar, type PresenceShape } from '../../ui/Avatar/Avatar.tsx'
import type { AppState } from '../../store/store.ts'
import styles from './Faces.module.css'

type Props = {
  readonly userId: string
  readonly size: number
  readonly presence?: PresenceShape
  /** Of somebody whom this window may not know. */
  readonly name?: string
}

/** The portrait of a user by id: the image, or initials while it loads or if there is none. */
export function Portrait(props: Props) {
  return <PortraitOf {...props} user={useUser(props.userId)} />
}

/** {@link Portrait} of a user whom the caller has selected already. */
export function PortraitOf({
  userId,
  user,
  size,
  presence,
  name = userId,
}: Props & { readonly user: User | undefined }) {
  const { url, onError } = useMediaUrl(user?.image, 'thumb')
  return (
    <Avatar
      id={userId}
      name={nameOf(user, name)}
      size={size}
      bot={user?.bot ?? false}
      src={url}
      onError={onError}
      presence={presence}
    />
  )
}

type UserAvatarProps = {
  readonly userId: string
  readonly size: number
  readonly showPresence?: boolean
}

/** A portrait that can show the user's presence. */
export function UserAvatar({ userId, size, showPresence = false }: UserAvatarProps) {
  const user = useUser(userId)
  const presence = showPresence && user !== undefined ? presenceOf(user) : undefined
  return <Portrait userId={userId} size={size} presence={presence} />
}

/** Online, away or offline. Apps have no presence: they always respond. */
export const presenceOf = ({ bot, online, away }: Pick<User, 'online' | 'away' | 'bot'>): Presence | undefined =>
  bot ? undefined : !online ? 'offline' : away === true ? 'away' : 'online'

type FacesProps = {
  readonly userIds: readonly string[]
  readonly size?: number
  readonly max?: number
  /** The total number of users, if more than listed; shown as "+n". */
  readonly total?: number
}

/** A few overlapping portraits, newest last. Decorative: the label of the control around has the number. */
export function Faces({ userIds, size = 20, max = 3, total }: FacesProps) {
  const shown = userIds.slice(-max)
  const more = total === undefined ? 0 : Math.max(0, total - shown.length)
  return (
    <span className={styles['faces']} aria-hidden="true">
      {shown.map((id) => (
        <span key={id} className={styles['face']}>
          <Portrait userId={id} size={size} />
        </span>
      ))}
      {more > 0 ? <span className={styles['more']}>+{more}</span> : null}
    </span>
  )
}

/** The name of a user as it is shown, or the id until it is known. */
export const nameOf = (user: Pick<User, 'name'> | undefined, userId: string): string => cleanName(user?.name ?? userId)

export const selectName = (state: AppState, userId: string): string => nameOf(state.entities.users[userId], userId)

/** The name of a user, or the id until it is known. */
export const useName = (userId: string): string => useAppSelector((state) => selectName(state, userId))

/** Names in the order of the ids. The array changes only when a name does. */
export function useNames(userIds: readonly string[]): readonly string[] {
  const joined = useAppSelector((state) => joinedNames(state, userIds))
  return useMemo(() => splitNames(joined), [joined])
}

/** Names as one text, which a selector can compare. */
export const joinedNames = (state: AppState, userIds: readonly string[]): string =>
  userIds.map((userId) => selectName(state, userId)).join('\u0000')

export const splitNames = (joined: string): readonly string[] => (joined === '' ? [] : joined.split('\u0000'))
