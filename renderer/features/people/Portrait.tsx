import type { Presence, User } from '#shared/domain/user.ts'
import { useMediaUrl, useUser } from '../../store/hooks.ts'
import { Avatar, type PresenceShape } from '../../ui/Avatar/Avatar.tsx'
import { nameOf } from './use-names.ts'
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
