import { useFormats, useTexts } from '../../../i18n/index.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { Faces, useNames } from '../../people/index.ts'
import styles from './ReadBy.module.css'

type Props = {
  readonly readers: readonly string[]
  /** The viewer's newest message: says Sent, Delivered or Seen. */
  readonly own: boolean
  readonly delivered: boolean
}

const MAX_NAMES = 4

/** Small portraits of people who have read up to here, and the status of the viewer's newest message. */
export function ReadBy({ readers, own, delivered }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const names = useNames(readers.slice(0, MAX_NAMES))
  const others = readers.length - names.length
  const text =
    readers.length === 0
      ? t(delivered ? 'status.delivered' : 'status.sent')
      : others > 0
        ? t('status.seenByMore', { names: names.join(', '), count: others })
        : t('status.seenBy', { names: formats.list(names) })
  if (readers.length === 0 && !own) return null
  return (
    <Tooltip text={text} side="above">
      <div className={styles['readBy']} role="img" aria-label={text}>
        {own ? <Icon name={readers.length === 0 && !delivered ? 'check' : 'check-double'} size={15} /> : null}
        {readers.length === 0 ? null : <Faces userIds={readers} size={16} />}
      </div>
    </Tooltip>
  )
}
