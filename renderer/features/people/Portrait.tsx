import { cleanName } from '#shared/lib/clean-text.ts'
import { useMediaUrl, useUser } from '../../store/hooks.ts'
import { Avatar, type PresenceShape } from '../../ui/Avatar/Avatar.tsx'

type Props = { readonly userId: string; readonly size: number; readonly presence?: PresenceShape }

/** The portrait of a user by id: the image, or initials while it loads or if there is none. */
export function Portrait({ userId, size, presence }: Props) {
  const user = useUser(userId)
  const { url, onError } = useMediaUrl(user?.image, 'thumb')
  return (
    <Avatar
      id={userId}
      name={cleanName(user?.name ?? userId)}
      size={size}
      bot={user?.bot ?? false}
      src={url}
      onError={onError}
      presence={presence}
    />
  )
}
