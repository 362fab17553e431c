import { useTexts } from '../../i18n/index.ts'
import { Button } from '../../ui/Button/Button.tsx'
import styles from './Onboarding.module.css'

type Props = { readonly title: string; readonly lead: string; readonly onBack: () => void }

export function FormHead({ title, lead, onBack }: Props) {
  const t = useTexts('common')
  return (
    <>
      <div className={styles['back']}>
        <Button variant="quiet" size="small" icon="arrow-left" onClick={onBack}>
          {t('back')}
        </Button>
      </div>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['lead']}>{lead}</p>
    </>
  )
}
