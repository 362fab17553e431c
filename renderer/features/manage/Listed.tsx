import type { ComponentProps, ReactNode } from 'react'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useConnection } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { Skeleton } from '../../ui/View/Skeleton.tsx'
import type { PagesOf } from './use-pages-of.ts'
import styles from './Manage.module.css'

type Props = {
  readonly list: Pick<PagesOf<unknown>, 'rows' | 'loading' | 'error' | 'again'> & { readonly asking?: boolean }
  /** What is shown when there is nothing: a sentence, and what to do. */
  readonly empty: Pick<ComponentProps<typeof Empty>, 'scene' | 'title' | 'children' | 'action'>
  readonly children: ReactNode
}

/** A list, or why there is none: loading, refused, without a connection, empty. */
export function Listed({ list, empty, children }: Props) {
  const t = useTexts('manage')
  const common = useTexts('common')
  const errorText = useErrorText()
  const { offline } = useConnection()
  if (list.rows.length > 0) return children
  if (list.loading) {
    return (
      <div className={styles['waiting']} role="status" aria-label={common('loading')}>
        {WIDTHS.map((width) => (
          <Skeleton key={width} width={`${width}%`} height={14} />
        ))}
      </div>
    )
  }
  if (list.error !== undefined) {
    return (
      <Empty
        scene={offline ? 'offline' : 'lines'}
        title={offline ? t('offline.title') : t('failed.title')}
        action={
          <Button working={list.asking} onClick={list.again}>
            {t('failed.again')}
          </Button>
        }
      >
        {offline ? t('offline.text') : errorText(list.error)}
      </Empty>
    )
  }
  return <Empty {...empty} />
}

const WIDTHS = [62, 48, 71, 55, 66, 43]
