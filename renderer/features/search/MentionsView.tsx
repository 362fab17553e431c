import { useEffect, useState, useSyncExternalStore } from 'react'
import type { EngineClient } from '#shared/bridge/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useConnection, useEngine, useSession } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { View } from '../../ui/View.tsx'
import { HitList } from './HitList.tsx'
import { ReactedList } from './ReactedList.tsx'
import { Results } from './results.ts'
import styles from './Search.module.css'

type Props = {
  /** Below 640 px: the way back to the list. */
  readonly onBack?: (() => void) | undefined
}

/** What was said to the viewer, and reactions to what they said. From this computer at once, then from the server. */
export function MentionsView({ onBack }: Props) {
  const t = useTexts('unread')
  const common = useTexts('common')
  const [shown, setShown] = useState<'mentions' | 'reactions'>('mentions')
  return (
    <View
      icon="at"
      title={t('mentions.title')}
      subtitle={t('mentions.subtitle')}
      back={onBack === undefined ? undefined : { label: common('back'), onPress: onBack }}
      banner={
        <div className={styles['kinds']}>
          <Segments
            label={t('mentions.show')}
            value={shown}
            onChange={setShown}
            choices={[
              { value: 'mentions', label: t('mentions.mentions') },
              { value: 'reactions', label: t('mentions.reactions') },
            ]}
          />
        </div>
      }
    >
      {shown === 'mentions' ? <Mentions /> : <ReactedList />}
    </View>
  )
}

/** The filter as the search understands it in every language. */
const QUESTION = 'mentions:me'

/** Outlives the view, so that coming back finds the same list at the same place. */
const lists = new WeakMap<EngineClient, Results>()

function listOf(engine: EngineClient): Results {
  const list = lists.get(engine) ?? new Results(engine)
  lists.set(engine, list)
  return list
}

function Mentions() {
  const t = useTexts('unread')
  const results = listOf(useEngine())
  const found = useSyncExternalStore(results.subscribe, results.found)
  const { userId, workspace } = useSession()
  const { offline } = useConnection()
  const who = `${userId ?? ''} ${workspace?.url ?? ''}`
  useEffect(() => {
    const isNew = results.text() === ''
    results.ask({ text: QUESTION, who })
    // What came since the last visit, and what the server knows once the line is back.
    if (!isNew && !offline) results.again()
  }, [results, who, offline])
  if (found.error !== undefined) {
    return (
      <Empty
        scene="offline"
        title={t('mentions.failed')}
        action={
          <Button variant="primary" onClick={() => results.again()}>
            {t('mentions.again')}
          </Button>
        }
      >
        {null}
      </Empty>
    )
  }
  if (found.hits.length > 0) return <HitList results={results} found={found} onUp={() => undefined} />
  if (found.busy !== 'none') return <p className={styles['end']}>{t('mentions.looking')}</p>
  return (
    <Empty scene="chat" title={t('mentions.none')}>
      {t('mentions.noneText')}
    </Empty>
  )
}
