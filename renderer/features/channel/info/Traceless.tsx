import type { Channel } from '#shared/domain/channel.ts'
import { isTraceless, maySendRead, withTraceless } from '#shared/rules/channels/reads.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession, useSetting } from '../../../store/hooks.ts'
import { updateSettings } from '../../settings/index.ts'
import { Rule } from './Rule.tsx'
import styles from '../Info.module.css'

/** Whether others hear that one reads here; where no one ever does, there is nothing to choose. */
export function Traceless({ channel }: { readonly channel: Channel }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const session = useSession()
  const traceless = useSetting('traceless')
  if (!maySendRead(channel)) return null
  return (
    <section className={styles['section']}>
      <Rule
        name={t('traceless.title')}
        hint={t('traceless.hint')}
        on={isTraceless(traceless, session, channel.cid)}
        onChange={(on) =>
          void dispatch(updateSettings({ traceless: withTraceless(traceless, session, channel.cid, on) }))
        }
      />
    </section>
  )
}
