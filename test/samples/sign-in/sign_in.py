"""Signs in with google-auth-oauthlib: `python3 sign_in.py [ISSUER]`. Without an issuer it runs under `fake-calendar exec --intercept`."""
import sys
import urllib.request

from google_auth_oauthlib.flow import Flow

ISSUER = sys.argv[1] if len(sys.argv) > 1 else None
CLIENT = {
    "client_id": "app",
    "client_secret": "secret",
    "auth_uri": f"{ISSUER}/o/oauth2/v2/auth" if ISSUER else "https://accounts.google.com/o/oauth2/auth",
    "token_uri": f"{ISSUER}/token" if ISSUER else "https://oauth2.googleapis.com/token",
}
SCOPES = ["openid", "https://www.googleapis.com/auth/userinfo.email", "https://www.googleapis.com/auth/calendar"]


class Stay(urllib.request.HTTPRedirectHandler):
    """What the user's browser does, up to the redirect."""

    def redirect_request(self, *_):
        return None


flow = Flow.from_client_config({"web": CLIENT}, SCOPES, redirect_uri="http://localhost:3000/callback")
url, _ = flow.authorization_url(access_type="offline", prompt="consent")
try:
    urllib.request.build_opener(Stay).open(url)
except urllib.error.HTTPError as redirect:
    flow.fetch_token(authorization_response=redirect.headers["Location"])
print(flow.credentials.refresh_token.startswith("1//"), bool(flow.credentials.token))
