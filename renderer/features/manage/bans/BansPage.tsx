import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { useMayManage } from '../index.ts'
import { BansList } from './BansList.tsx'
import { MutesList } from './MutesList.tsx'
import styles from './Bans.module.css'

type Props = {
  /** The person whose bans are shown first. */
  readonly id?: string
  readonly onBack?: () => void
}

const TABS = ['bans', 'mutes'] as const

/** Everyone who is banned or muted: where, by whom, why, until when. */
export function BansPage({ id, onBack }: Props) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const mayBan = useMayManage('ban')
  const [tab, setTab] = useState<(typeof TABS)[number]>('bans')
  const actions = (
    <span className={styles['actions']}>
      <Segments
        label={t('tabs.label')}
        value={tab}
        choices={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        onChange={setTab}
      />
      {mayBan ? (
        <Button
          size="small"
          icon="plus"
          aria-disabled={offline || undefined}
          title={offline ? t('offline') : undefined}
          onClick={() => offline || dispatch(dialogOpened({ kind: 'ban' }))}
        >
          {t('banSomeone')}
        </Button>
      ) : null}
    </span>
  )
  return tab === 'bans' ? (
    <BansList userId={id} onBack={onBack} actions={actions} />
  ) : (
    <MutesList onBack={onBack} actions={actions} />
  )
}
