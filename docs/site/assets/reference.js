// Shows /openapi.json, and lets requests be tried with a key that is in this page's memory alone.

const darkWanted = window.matchMedia('(prefers-color-scheme: dark)')

function followColorScheme() {
  document.documentElement.classList.toggle('dark-mode', darkWanted.matches)
}

followColorScheme()
darkWanted.addEventListener('change', followColorScheme)

// There is one server, the page's own: nothing to choose.
const oneServer = () => ({ components: { ServersContainer: () => null } })

window.SwaggerUIBundle({
  plugins: [oneServer],
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Where the document would else be sent to be judged.
  validatorUrl: null,
})
