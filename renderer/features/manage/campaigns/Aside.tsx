import { useEffect, useState } from 'react'
import { EXCLUSIONS, type CampaignContent, type DryRunPerson } from '#shared/domain/manage/campaigns.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection, useMe } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Portrait, useName } from '../../people/index.ts'
import { Markdown } from '../../messages/index.ts'
import { loadDryRunPeople } from './commands.ts'
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
        <Preview key={dryRun.run} senderId={content.senderId} run={dryRun.run} count={summary.people} />
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

type PreviewProps = { readonly senderId: string; readonly run: string; readonly count: number }

/** Ctrl Shift with the left and right arrow goes to the previous and the next person. */
function Preview({ senderId, run, count }: PreviewProps) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const sender = useName(senderId)
  const me = useMe()?.id
  const [at, setAt] = useState(0)
  const [person, setPerson] = useState<DryRunPerson>()
  useEffect(() => {
    let wanted = true
    const ask = async (): Promise<void> => {
      const loaded = await dispatch(loadDryRunPeople({ run, view: 'gets', offset: at }))
      if (wanted && loaded.ok) setPerson(loaded.value.people[0])
    }
    if (count > 0) void ask()
    return () => {
      wanted = false
    }
  }, [dispatch, run, at, count])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.ctrlKey || !event.shiftKey || event.altKey) return
      const by = event.code === 'ArrowLeft' ? -1 : event.code === 'ArrowRight' ? 1 : 0
      if (by === 0) return
      event.preventDefault()
      setAt((before) => Math.min(count - 1, Math.max(0, before + by)))
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [count])
  if (count === 0) return null
  return (
    <section aria-label={t('preview.title')} className={styles['preview']}>
      <header className={styles['previewHead']}>
        <span className="ellipsis">
          {person === undefined ? t('preview.title') : t('preview.as', { name: person.name })}
        </span>
        <span className={styles['hint']}>{t('preview.place', { place: at + 1, count })}</span>
        <IconButton
          icon="arrow-left"
          size="small"
          label={t('preview.previous')}
          disabled={at === 0}
          onClick={() => setAt(at - 1)}
        />
        <IconButton
          icon="arrow-right"
          size="small"
          label={t('preview.next')}
          disabled={at >= count - 1}
          onClick={() => setAt(at + 1)}
        />
      </header>
      <div className={styles['card']} aria-live="polite">
        <Portrait userId={senderId} size={32} />
        <div className={styles['cardText']}>
          <bdi className={styles['cardName']}>{sender}</bdi>
          <Markdown text={person?.text ?? ''} mentioned={NOBODY} viewerId={me} />
        </div>
      </div>
    </section>
  )
}

const NOBODY: readonly never[] = []
