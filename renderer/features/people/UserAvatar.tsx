import { Avatar } from '../../ui/Avatar.tsx'
import { useMediaUrl, useUser } from '../../store/hooks.ts'
import { presenceOf } from './presence.ts'

type Props = {
  readonly userId: string
  readonly size: number
  readonly showPresence?: boolean
}

/** A person's portrait by id: the picture when there is one, else initials. */
export function UserAvatar({ userId, size, showPresence = false }: Props) {
  const user = useUser(userId)
  const { url, onError } = useMediaUrl(user?.image === undefined ? undefined : `user/${userId}`, 'thumb')
  return (
    <Avatar
      id={userId}
      name={user?.name ?? userId}
      size={size}
      bot={user?.bot ?? false}
      src={url}
      onError={onError}
      presence={showPresence && user !== undefined ? presenceOf(user) : undefined}
    />
  )
}
