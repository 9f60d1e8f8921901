// An OpenID Connect provider on loopback: the package `oidc-provider` with one client and every
// name as a user. Prints its issuer; reads the port of the site from standard input.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import http from "node:http";
import net from "node:net";
import readline from "node:readline";

const [packages, secret] = process.argv.slice(2);
const require = createRequire(`${packages}/package.json`);
const { Provider } = await import(pathToFileURL(require.resolve("oidc-provider")));

let site = 0;
readline.createInterface({ input: process.stdin }).on("line", (line) => (site = Number(line)));

const probe = net.createServer().listen(0, "127.0.0.1");
await new Promise((resolve) => probe.once("listening", resolve));
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));
const issuer = `http://127.0.0.1:${port}`;

// The host of the site has no address: what is sent to it goes to its port on this machine.
const send = (url, { method, headers, body }) =>
  new Promise((resolve, reject) => {
    const { host, pathname } = new URL(url);
    const plain = Object.fromEntries(new Headers(headers));
    const text = body === undefined ? "" : String(body);
    const own = { ...plain, host, "content-length": Buffer.byteLength(text) };
    const request = http.request({ port: site, path: pathname, method, headers: own }, (response) => {
      response.resume();
      response.on("end", () => resolve(new Response("", { status: response.statusCode })));
    });
    request.on("error", reject);
    request.end(text);
  });

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "docs",
      client_secret: secret,
      redirect_uris: ["http://docs.example.com/_svc/sign-in/callback"],
      backchannel_logout_uri: "http://docs.example.com/_svc/sign-in/logout",
      backchannel_logout_session_required: true,
    },
  ],
  claims: {
    openid: ["sub", "sid"],
    email: ["email", "email_verified"],
    profile: ["name"],
    groups: ["groups"],
  },
  scopes: ["openid", "email", "profile", "groups"],
  cookies: { keys: ["test"] },
  fetch: send,
  features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `Name of ${id}`,
      email: `${id}@example.com`,
      email_verified: true,
      groups: ["staff"],
    }),
  }),
});
provider.on("server_error", (_, error) => console.error(error));
provider.on("backchannel.error", (_, error) => console.error(error));
provider.listen(port, "127.0.0.1", () => console.log(issuer));
