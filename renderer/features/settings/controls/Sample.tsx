import { asMessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { cx } from '../../../lib/cx.ts'
import { hueOf } from '../../../lib/portrait.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import { useMe, useSetting } from '../../../store/hooks.ts'
import { Markdown } from '../../messages/index.ts'
import { Portrait } from '../../people/index.ts'
import { Reactions } from '../../reactions/index.ts'
import styles from './Sample.module.css'

/** A sample message of the viewer in the current appearance, with letters of all three languages. Not interactive. */
export function Sample() {
  const t = useTexts('settings')
  const formats = useFormats()
  const isCompact = useSetting('density') === 'compact'
  const now = useMinute()
  const me = useMe()
  if (me === undefined) return null
  const name = cleanName(me.name)
  const time = <time className={styles['time']}>{formats.time(now)}</time>
  return (
    <div className={cx(styles['sample'], isCompact && styles['compact'])} inert>
      {isCompact ? time : <Portrait userId={me.id} size={36} />}
      <div>
        <div className={styles['head']}>
          <bdi className={styles['author']} style={isCompact ? { color: `var(--hue-${hueOf(me.id)})` } : undefined}>
            {name}
          </bdi>
          {isCompact ? null : time}
        </div>
        <Markdown text={t('appearance.sample', { name })} mentioned={[{ id: me.id, name }]} viewerId={undefined} />
        <Reactions messageId={SAMPLE} groups={REACTIONS} />
      </div>
    </div>
  )
}

const SAMPLE = asMessageId('sample')
const REACTIONS = [{ type: 'like', count: 3, sumScores: 3, firstAt: 0, lastAt: 0, own: true, userIds: [] }]
