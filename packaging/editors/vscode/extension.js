"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("svc");
  const command = settings.get("path");
  const args = ["lsp", ...settings.get("arguments")];
  const files = (pattern) => ({ scheme: "file", pattern });
  client = new LanguageClient(
    "svc",
    "svc",
    { command, args },
    {
      documentSelector: [
        files("**/*.{mdx,md}"),
        files("**/*.{json,yaml,yml}"),
      ],
    },
  );
  return client.start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("svc.restart", async () => {
      await deactivate();
      await start();
    }),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
