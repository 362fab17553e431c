import { useState } from 'react'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { ConnectForm } from './ConnectForm.tsx'
import { LanguageLinks } from './LanguageLinks.tsx'
import { MakeWorkspaceForm } from './MakeWorkspaceForm.tsx'
import { openDemo } from './commands.ts'
import { ParlorArt } from './ParlorArt.tsx'
import styles from './Onboarding.module.css'

type Step = 'start' | 'make' | 'connect'

/** First start, and every start while signed out: where should the conversations live? */
export function Onboarding() {
  const t = useTexts('session')
  const [step, setStep] = useState<Step>('start')
  const back = (): void => setStep('start')
  return (
    <div className={styles['screen']}>
      <aside className={styles['art']} aria-label={t('motto.line1')}>
        <ParlorArt />
        <div className={styles['words']}>
          <p className={styles['motto']}>
            {t('motto.line1')}
            <br />
            {t('motto.line2')}
          </p>
          <p>{t('motto.text')}</p>
        </div>
      </aside>
      <main className={styles['sheet']} aria-label={t('welcome')}>
        <div className={styles['form']}>
          {step === 'start' ? (
            <Start onStep={setStep} />
          ) : step === 'make' ? (
            <MakeWorkspaceForm onBack={back} />
          ) : (
            <ConnectForm onBack={back} />
          )}
        </div>
      </main>
    </div>
  )
}

function Start({ onStep }: { readonly onStep: (step: Step) => void }) {
  const t = useTexts('session')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<string>()
  const demo = async (): Promise<void> => {
    setWorking(true)
    setError(undefined)
    const opened = await dispatch(openDemo({}))
    setWorking(false)
    if (!opened.ok) setError(errorText(opened.error))
  }
  return (
    <>
      <span className={styles['mark']}>
        <Mark size={52} />
      </span>
      <h1 className={styles['title']}>{t('welcome')}</h1>
      <p className={styles['lead']}>{t('where')}</p>
      <Choice
        icon="chat"
        title={t('demo.title')}
        text={t('demo.text')}
        working={working}
        onClick={() => void demo()}
        preferred
      />
      {error === undefined ? null : (
        <p className={styles['error']} role="alert">
          <Icon name="alert-circle" size={15} />
          {error}
        </p>
      )}
      <Choice icon="laptop" title={t('local.title')} text={t('local.text')} onClick={() => onStep('make')} />
      <Choice icon="server" title={t('hosted.title')} text={t('hosted.text')} onClick={() => onStep('connect')} />
      <LanguageLinks />
    </>
  )
}

type ChoiceProps = {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly preferred?: boolean
  readonly working?: boolean
  readonly onClick: () => void
}

function Choice({ icon, title, text, preferred = false, working = false, onClick }: ChoiceProps) {
  return (
    <button
      type="button"
      className={styles['choice']}
      data-preferred={preferred || undefined}
      aria-busy={working}
      onClick={working ? undefined : onClick}
    >
      <span className={styles['glyph']}>{working ? <Spinner size={22} /> : <Icon name={icon} size={22} />}</span>
      <span>
        <span className={styles['choiceTitle']}>{title}</span>
        <span className={styles['choiceText']}>{text}</span>
      </span>
      <Icon name="chevron-right" />
    </button>
  )
}
