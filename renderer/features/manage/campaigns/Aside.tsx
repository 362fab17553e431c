import { EXCLUSIONS, type CampaignContent } from '#shared/domain/manage/campaigns.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Preview } from './Preview.tsx'
import type { DryRun } from './use-dry-run.ts'
import { useFieldName } from './words.tsx'
import styles from './Campaigns.module.css'

type Props = {
  readonly content: CampaignContent
  readonly dryRun: DryRun | undefined
  readonly onCheck: () => void
}

/** The message as somebody will read it, and who gets it. */
export function Aside({ content, dryRun, onCheck }: Props) {
  const t = useTexts('campaigns')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const summary = dryRun?.summary
  const isOld = dryRun !== undefined && !dryRun.running && dryRun.of !== content
  return (
    <div className={styles['aside']}>
      {dryRun?.run === undefined || summary === undefined ? null : (
        <Preview key={dryRun.run} content={content} run={dryRun.run} count={summary.people} />
      )}
      <section aria-label={t('who.title')}>
        <h2 className={styles['asideHead']}>{t('who.title')}</h2>
        <div role="status">
          {summary === undefined ? null : (
            <p className={styles['total']}>{t('who.people', { count: summary.people })}</p>
          )}
          {dryRun?.running === true ? (
            <p className={styles['hint']}>{t('who.counting', { count: dryRun.checked })}</p>
          ) : null}
        </div>
        {summary === undefined ? null : <Sum dryRun={dryRun} />}
        {dryRun?.error === undefined ? null : <p role="alert">{errorText(dryRun.error)}</p>}
        {isOld ? <p className={styles['hint']}>{t('who.old')}</p> : null}
        {dryRun === undefined || isOld || dryRun.error !== undefined ? (
          <Button size="small" aria-disabled={offline || undefined} onClick={() => offline || onCheck()}>
            {dryRun === undefined ? t('who.count') : t('who.again')}
          </Button>
        ) : null}
        {dryRun === undefined ? <p className={styles['hint']}>{t('who.hint')}</p> : null}
      </section>
    </div>
  )
}

/** An addition that can be checked: found, without those named twice, without those left out, by reason. */
function Sum({ dryRun }: { readonly dryRun: DryRun | undefined }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const fieldName = useFieldName()
  const summary = dryRun?.summary
  if (summary === undefined) return null
  const minus = (count: number): string => `− ${formats.number(count)}`
  return (
    <dl className={styles['sum']}>
      <dt>{t('who.found')}</dt>
      <dd>{formats.number(summary.found)}</dd>
      {summary.twice === 0 ? null : (
        <>
          <dt>{t('who.twice')}</dt>
          <dd>{minus(summary.twice)}</dd>
        </>
      )}
      {EXCLUSIONS.map((why) => {
        const count = summary.excluded[why] ?? 0
        return count === 0 ? null : (
          <div key={why} className={styles['pair']}>
            <dt>{t(`excluded.${why}`)}</dt>
            <dd>{minus(count)}</dd>
          </div>
        )
      })}
      {summary.channels === 0 ? null : (
        <>
          <dt>{t('who.channels')}</dt>
          <dd>{formats.number(summary.channels)}</dd>
        </>
      )}
      {Object.entries(summary.missing).map(([key, count]) => (
        <div key={key} className={styles['pair']}>
          <dt>{t('who.missing', { field: fieldName(key) })}</dt>
          <dd>{formats.number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
