import type { Channel } from '#shared/domain/channel.ts'
import { useTexts } from '../../../i18n/index.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { isDirect } from '../place.ts'
import { useTitle } from '../use-title.ts'
import styles from '../Composer.module.css'

/** Covers the composer while files are dragged over the sheet. */
export function DropTarget({ channel, count }: { readonly channel: Channel; readonly count: number }) {
  const t = useTexts('composer')
  const name = useTitle(channel.cid)
  const text = isDirect(channel) ? t('dropHere', { count }) : t('dropChannel', { count, name })
  return (
    <output className={styles['drop']}>
      <Icon name="upload" size={22} />
      {text}
    </output>
  )
}
