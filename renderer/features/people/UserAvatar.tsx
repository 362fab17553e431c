import { useUser } from '../../store/hooks.ts'
import { Portrait } from './Portrait.tsx'
import { presenceOf } from './presence.ts'

type Props = {
  readonly userId: string
  readonly size: number
  readonly showPresence?: boolean
}

/** A portrait that can show the user's presence. */
export function UserAvatar({ userId, size, showPresence = false }: Props) {
  const user = useUser(userId)
  const presence = showPresence && user !== undefined ? presenceOf(user) : undefined
  return <Portrait userId={userId} size={size} presence={presence} />
}
