// Shows /openapi.json, and lets requests be tried with a key that is in this page's memory alone.

const darkWanted = window.matchMedia('(prefers-color-scheme: dark)')

function followColorScheme() {
  document.documentElement.classList.toggle('dark-mode', darkWanted.matches)
}

followColorScheme()
darkWanted.addEventListener('change', followColorScheme)

// There is one server, the page's own: nothing to choose.
const oneServer = () => ({ components: { ServersContainer: () => null } })

const foldedTag = 'Dashboard'

const ui = window.SwaggerUIBundle({
  plugins: [oneServer],
  url: document.getElementById('reference').dataset.document,
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Where the document would else be sent to be judged.
  validatorUrl: null,
  // The dashboard's own calls stand under their heading, folded: programs have no use for them.
  onComplete: () => {
    if (!window.location.hash.startsWith(`#/${foldedTag}`))
      ui.layoutActions.show(['operations-tag', foldedTag], false)
  },
})
