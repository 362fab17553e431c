import type { CampaignReplies, OpenCampaign } from '#shared/domain/manage/campaigns.ts'
import { useFormats, useTexts } from '../../../../i18n/index.ts'
import { useReplies } from '../use-campaigns.ts'
import styles from '../Campaigns.module.css'

/** What the server counts of a campaign, and the replies that this device knows. */
export function Figures({ opened: { campaign, notSent } }: { readonly opened: OpenCampaign }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const { messagesSent, usersDelivered, usersRead, channelsCreated } = campaign.stats
  const replies = useReplies(campaign)
  return (
    <>
      <dl className={styles['figures']}>
        <Figure label={t('progress.messages')} value={formats.number(messagesSent)} />
        {usersDelivered === undefined ? null : (
          <Figure label={t('progress.delivered')} value={formats.number(usersDelivered)} />
        )}
        <Figure label={t('progress.read')} value={formats.number(usersRead)} />
        <Figure label={t('progress.channels')} value={formats.number(channelsCreated)} />
        {replies === undefined ? null : <Replies replies={replies} />}
        <Figure
          label={t(campaign.state === 'in_progress' ? 'progress.notYet' : 'progress.notSent')}
          value={notSent === undefined ? t('progress.unknown') : formats.number(notSent.count)}
        />
      </dl>
      {replies === undefined ? null : (
        <p className={styles['hint']}>
          {t('progress.repliesText')}
          {replies.known < replies.all ? ` ${t('progress.repliesRest')}` : null}
        </p>
      )}
    </>
  )
}

/** Never a number without what it covers. */
function Replies({ replies: { count, known, all } }: { readonly replies: CampaignReplies }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  if (known === 0) return <Figure label={t('progress.replies')} value={t('progress.unknown')} />
  const of = t('progress.repliesIn', { known, count: all })
  return <Figure label={t('progress.replies')} value={formats.number(count)} of={of} />
}

type FigureProps = { readonly label: string; readonly value: string; readonly of?: string }

/** `of`: what the figure covers, where that is not everything. */
function Figure({ label, value, of }: FigureProps) {
  return (
    <div className={styles['figure']}>
      <dt>{label}</dt>
      <dd>{value}</dd>
      {of === undefined ? null : <dd className={styles['figureOf']}>{of}</dd>}
    </div>
  )
}
