import type { Cid } from '#shared/lib/brand.ts'
import { isChosen, withChosen } from '#shared/rules/channels/chosen-channels.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSession, useSetting } from '../../../store/hooks.ts'
import { updateSettings } from '../../settings/index.ts'
import { Rule } from './Rule.tsx'
import styles from '../Info.module.css'

/** Whether pictures, videos and link previews of this channel are drawn at once. */
export function HiddenMedia({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const session = useSession()
  const hiddenMedia = useSetting('hiddenMedia')
  return (
    <section className={styles['section']}>
      <Rule
        name={t('hiddenMedia.title')}
        hint={t('hiddenMedia.hint')}
        on={isChosen(hiddenMedia, session, cid)}
        onChange={(on) => void dispatch(updateSettings({ hiddenMedia: withChosen(hiddenMedia, session, cid, on) }))}
      />
    </section>
  )
}
