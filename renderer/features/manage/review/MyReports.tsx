import { useCallback } from 'react'
import type { OwnReport } from '#shared/domain/manage/review.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Listed } from '../Page.tsx'
import { usePagesOf } from '../loading.ts'
import { loadMine } from './commands.ts'
import { useWords } from './words.ts'
import styles from './Review.module.css'

const TONES = { waiting: 'plain', deleted: 'success', acted: 'success', none: 'plain' } as const

/** What the viewer reported to the moderators, and what became of it. */
export function MyReports() {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const load = useCallback(
    async (offset: number) => {
      const loaded = await dispatch(loadMine({ offset }))
      return loaded.ok ? ok({ rows: loaded.value.reports, more: loaded.value.more }) : loaded
    },
    [dispatch],
  )
  const list = usePagesOf(load, '', 0)
  return (
    <Dialog title={t('mine.title')} width={480} onClose={() => dispatch(dialogClosed())}>
      <DialogText muted>{t('mine.text')}</DialogText>
      <Listed list={list} empty={{ scene: 'lines', title: t('mine.none'), children: t('mine.noneText') }}>
        <ul className={styles['mine']} aria-label={t('mine.title')}>
          {list.rows.map((report) => (
            <Mine key={report.id} report={report} />
          ))}
        </ul>
        {list.more ? (
          <Button size="small" onClick={list.next}>
            {t('actions.more')}
          </Button>
        ) : null}
      </Listed>
    </Dialog>
  )
}

function Mine({ report }: { readonly report: OwnReport }) {
  const t = useTexts('review')
  const words = useWords()
  const { authorId, messageId, cid, at, outcome } = report
  const name = authorId === undefined ? undefined : words.name(authorId)
  const title =
    name === undefined
      ? t('mine.unknown')
      : messageId === undefined
        ? t('mine.person', { name })
        : cid === undefined
          ? t('mine.messageOnly', { name })
          : t('mine.message', { name, place: words.place({ ...report, subject: 'message' }) })
  return (
    <li>
      <div className={styles['body']}>
        <bdi className={styles['author']}>{title}</bdi>
        <bdi className={styles['second']}>
          {t('mine.detail', { reason: words.reasonOf(report), time: words.time(at) })}
        </bdi>
      </div>
      <Tag tone={TONES[outcome]}>{t(`mine.outcomes.${outcome}`)}</Tag>
    </li>
  )
}
