import type { Cid } from '#shared/lib/brand.ts'
import { useChannel, useMediaUrl, useUser } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Portrait, presenceOf } from '../../people/index.ts'
import styles from '../Info.module.css'

/** The picture of a channel, or the icon of its kind; in a direct message the other person's portrait. */
export function ChannelTile({ cid }: { readonly cid: Cid }) {
  const channel = useChannel(cid)
  const other = useUser(channel?.directUserId)
  const { url, failed, onError } = useMediaUrl(channel?.image, 'thumb')
  if (other !== undefined) return <Portrait userId={other.id} size={72} presence={presenceOf(other)} />
  return (
    <div className={styles['tile']} aria-hidden="true">
      {url !== undefined && !failed ? (
        <img src={url} alt="" draggable={false} onError={onError} />
      ) : (
        <Icon
          name={(channel?.directUserIds.length ?? 0) > 0 ? 'users' : channel?.isPrivate === true ? 'lock' : 'hash'}
          size={26}
        />
      )}
    </div>
  )
}
